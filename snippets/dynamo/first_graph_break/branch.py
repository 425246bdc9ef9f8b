# /// lesson
# env = {TORCH_LOGS = "graph_code", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['__compiled_fn_\w+']
# ///
"""An if on a tensor's value breaks the graph."""

import torch


def safe_sqrt(x):
    if x.sum() < 0:
        x = -x
    return torch.sqrt(x)


compiled = torch.compile(safe_sqrt, backend="eager")
compiled(torch.ones(8))
print("---- a negative sum ----")
compiled(-torch.ones(8))
