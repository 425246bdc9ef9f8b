"""Mark a dimension that the code requires to be fixed."""

import logging

import torch
from torch.fx.experimental.symbolic_shapes import ConstraintViolationError


@torch.compile(backend="eager")
def head(x):
    if x.shape[0] == 4:
        return x + 1
    return x * 2


logging.disable()  # the message is logged too
x = torch.ones(4)
torch._dynamo.mark_dynamic(x, 0)
try:
    head(x)
except ConstraintViolationError as error:
    message = str(error).rstrip()
    print("ConstraintViolationError")
    print(message)

# region checks
assert "as dynamic but your code specialized it" in message
# endregion
