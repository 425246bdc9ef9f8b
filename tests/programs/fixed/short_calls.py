"""The loop is inside of the compiled function."""

import torch


@torch.compile(backend="eager")
def scale(x):
    for _ in range(100):
        x = x * 2
    return x


x = torch.zeros(8)
for _ in range(500):
    x = scale(x)
