"""A function prints in a loop, so Dynamo skips the whole function."""

import torch


@torch.compile(backend="eager")
def average(batches):
    total = torch.zeros(4)
    for batch in batches:
        total = total + batch.mean(0)
        print("batch")  # finding: skipped
    return total


for _ in range(3):
    average([torch.ones(2, 4)] * 3)
