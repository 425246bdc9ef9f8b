# /// lesson
# env = {TORCH_LOGS = "graph_code", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['__compiled_fn_\w+']
# ///
"""The same function with a fixed and with a dynamic size."""

import torch


@torch.compile(backend="eager")
def double(x):
    return x.reshape(2, -1) * 2


double(torch.ones(32))
double(torch.ones(64))
double(torch.ones(128))
