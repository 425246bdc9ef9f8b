"""Two compiled functions, and a total that should be 24: one of the two loses it."""

import torch


@torch.compile(backend="aot_eager")
def double(values):
    return torch.relu(values) * 2


@torch.compile(backend="aot_eager")
def add_to(total, values):
    total.add_(values.sum())
    return values


total = torch.zeros((), dtype=torch.float64)
for _ in range(3):
    add_to(total, double(torch.ones(4)))
