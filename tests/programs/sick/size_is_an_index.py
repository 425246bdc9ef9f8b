"""A size picks an item of a Python list, so it becomes a constant."""

import torch

SCALES = [0.1 * number for number in range(20)]


@torch.compile(backend="eager")
def scale(x):
    return x * SCALES[x.shape[0]]  # finding: recompile-limit


for size in range(2, 16):
    scale(torch.ones(size))
