"""A loop ends as soon as the values have converged."""

import torch


@torch.compile(backend="eager")
def solve(x):
    for _ in range(4):
        x = x / 2
        if x.sum() < 1:  # finding: skipped
            break
    return x


for _ in range(3):
    solve(torch.ones(4))
