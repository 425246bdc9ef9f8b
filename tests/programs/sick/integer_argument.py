"""The number of the step is an argument, and sizes and numbers are static."""

import torch


@torch.compile(backend="eager", dynamic=False)
def forward(x, step):
    return x * 0.5**step  # finding: recompile-limit


for step in range(12):
    forward(torch.ones(4), step)
