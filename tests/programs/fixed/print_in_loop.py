"""The function prints nothing."""

import torch


@torch.compile(backend="eager")
def average(batches):
    total = torch.zeros(4)
    for batch in batches:
        total = total + batch.mean(0)
    return total


for _ in range(3):
    average([torch.ones(2, 4)] * 3)
