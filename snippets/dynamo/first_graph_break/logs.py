# /// lesson
# env = {TORCH_LOGS = "graph_breaks", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Log every graph break, with TORCH_LOGS=graph_breaks set."""

import torch


@torch.compile(backend="eager")
def shifted_square(x):
    y = torch.relu(x) + 1
    print("halfway")
    return y * y


shifted_square(torch.ones(8))
