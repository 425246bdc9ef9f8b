# /// lesson
# env = {TORCH_LOGS = "graph_breaks", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""The log says what explain does not: the frame was skipped."""

import torch


@torch.compile(backend="eager")
def in_loop(x):
    for _ in range(3):
        x = x + 1
        print(end="")
    return x * 2


in_loop(torch.ones(8))
