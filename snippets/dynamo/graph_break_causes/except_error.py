"""An except block that eager mode runs, and compiled code does not."""

import logging

import torch


def scores(query, key):
    try:
        return query @ key
    except RuntimeError:  # the shapes don't match
        return query @ key.T


logging.disable()  # otherwise the error is logged too
query = torch.ones(2, 3)
key = torch.ones(4, 3)
print("eager:", tuple(scores(query, key).shape))
try:
    torch.compile(scores, backend="eager")(query, key)
except torch._dynamo.exc.TorchRuntimeError as error:
    message = str(error)
    reason = message[message.index("got RuntimeError") :].splitlines()[0]
    print("compiled: TorchRuntimeError:", reason)

# region checks
assert "RuntimeError when making fake tensor call" in message
# endregion
