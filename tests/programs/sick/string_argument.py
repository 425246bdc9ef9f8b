"""The name of a task is an argument."""

import torch


@torch.compile(backend="eager")
def head(x, task):
    return x * len(task)  # finding: recompile-limit


for number in range(12):
    head(torch.ones(4), f"task {number}")
