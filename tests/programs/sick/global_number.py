"""The step number is a global variable that the compiled function reads."""

import torch

step = 0


@torch.compile(backend="eager", dynamic=False)
def forward(x):
    return x * 0.5**step  # finding: recompile-limit


for _ in range(20):
    step += 1
    forward(torch.ones(4))
