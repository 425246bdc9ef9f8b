"""A block under activation checkpointing prints, so it isn't compiled."""

import torch
from torch.utils.checkpoint import checkpoint


def block(x):
    y = x.sin()
    print("block")  # finding: graph-break
    return y.cos()


@torch.compile(backend="eager")
def forward(x):
    return checkpoint(block, x, use_reentrant=False)


for _ in range(3):
    forward(torch.ones(4, requires_grad=True))
