"""A loop goes on while values are large."""

import torch


@torch.compile(backend="eager")
def shrink(x):
    while x.abs().max() > 1:  # finding: graph-break
        x = x / 2
    return x


for _ in range(3):
    shrink(torch.full((4,), 9.0))
