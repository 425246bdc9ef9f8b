"""One version for all sizes."""

import torch


@torch.compile(backend="eager")
def double(x):
    return x * 2


for size in (2, 3, 4, 5, 6, 7):
    double(torch.ones(size))
