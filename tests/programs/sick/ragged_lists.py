"""A batch is a list of tensors, and no two batches are as long."""

import torch


@torch.compile(backend="eager")
def total(tensors):
    return torch.stack(tensors).sum(0)  # finding: recompile-limit


for length in range(2, 14):
    total([torch.ones(4)] * length)
