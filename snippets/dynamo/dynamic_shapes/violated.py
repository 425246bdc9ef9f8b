"""Mark a dimension that the code requires to be fixed."""

import logging

import torch
from torch.fx.experimental.symbolic_shapes import ConstraintViolationError


@torch.compile(backend="eager")
def fixed(x):
    if x.shape[0] == 4:
        return x + 1
    return x * 2


logging.getLogger("torch._guards").disabled = True  # logs the same message
x = torch.ones(4)
torch._dynamo.mark_dynamic(x, 0)
raised = False
try:
    fixed(x)
except ConstraintViolationError as error:
    raised = True
    print("ConstraintViolationError")
    print(str(error).rstrip())
# region checks
assert raised
shapes, first = [], torch.ones(4)
torch._dynamo.maybe_mark_dynamic(first, 0)
torch.compiler.reset()
compiled = torch.compile(
    lambda x: x + 1 if x.shape[0] == 4 else x * 2,
    backend=lambda graph, inputs: shapes.append(list(inputs[-1].shape)) or graph.forward,
)
for size in (first, torch.ones(5), torch.ones(6)):
    compiled(size)
assert shapes[0] == [4] and len(shapes) == 2
# endregion
