"""Options are a dictionary that gets one more key at each step."""

import torch


@torch.compile(backend="eager")
def forward(x, options):
    return x * len(options)  # finding: recompile-limit


options = {}
for number in range(12):
    options[f"option {number}"] = 1.0
    forward(torch.ones(4), options)
