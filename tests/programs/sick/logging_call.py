"""A forward writes to the log."""

import logging

import torch

log = logging.getLogger("model")


@torch.compile(backend="eager")
def forward(x):
    y = x.relu()
    log.warning("mean %s", y.mean())  # finding: graph-break
    return y + 1


for _ in range(3):
    forward(torch.ones(4))
