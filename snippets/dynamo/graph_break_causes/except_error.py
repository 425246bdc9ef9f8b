"""An except block that eager mode runs, and compiled code does not."""

import logging

import torch

torch._logging.set_logs(all=logging.CRITICAL)  # otherwise the error is logged too


def scores(query, key):
    try:
        return query @ key
    except RuntimeError:  # the shapes don't match
        return query @ key.T


query, key = torch.ones(2, 3), torch.ones(4, 3)
print("eager:", tuple(scores(query, key).shape))
try:
    print("compiled:", tuple(torch.compile(scores, backend="eager")(query, key).shape))
except torch._dynamo.exc.TorchRuntimeError as error:
    message = str(error)
    print("compiled: TorchRuntimeError:", message[message.index("got RuntimeError") :].splitlines()[0])
# region checks
assert "RuntimeError when making fake tensor call" in message
# endregion
