"""Six sizes, each with a version of its own."""

import torch


@torch.compile(backend="eager", dynamic=False)  # finding: recompiles
def double(x):
    return x * 2


for size in (2, 3, 4, 5, 6, 7):
    double(torch.ones(size))
