"""A logger that is silent in compiled code."""

import logging

import torch

logging.basicConfig(format="%(name)s: %(message)s")
log = logging.getLogger("course")
torch._dynamo.config.ignore_logging_functions.add(log.warning)


def shifted_square(x):
    y = torch.relu(x) + 1
    log.warning("halfway")
    return y * y


print("eager")
shifted_square(torch.ones(3))
print("compiled")
torch.compile(shifted_square, backend="eager", fullgraph=True)(torch.ones(3))
