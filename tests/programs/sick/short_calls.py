"""Each call of the compiled function does next to nothing."""

import torch


@torch.compile(backend="eager")  # advice: short-calls
def scale(x):
    return x * 2


x = torch.zeros(8)
for _ in range(50_000):
    x = scale(x)
