"""How many rows a function keeps depends on their values."""

import torch


@torch.compile(backend="eager")
def keep(x):
    positive = x[x > 0]  # finding: graph-break
    return positive * 2


for _ in range(3):
    keep(torch.ones(4))
