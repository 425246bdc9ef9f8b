# /// lesson
# env = {TORCH_LOGS = "graph_breaks", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""A print in a training loop: Dynamo skips the whole function."""

import torch


@torch.compile(backend="eager")
def refine(x, steps):
    for step in range(steps):
        x = x - 0.1 * torch.sin(x)
        print("step", step)
    return x * 2


refine(torch.ones(8), 2)
