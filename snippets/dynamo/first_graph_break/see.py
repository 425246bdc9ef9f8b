# /// lesson
# env = {TORCH_LOGS = "graph_code", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['__compiled_fn_\w+']
# ///
"""One print in the middle turns one function into two graphs."""

import torch


def shifted_square(x):
    y = torch.relu(x) + 1
    print("halfway")
    return y * y


compiled = torch.compile(shifted_square, backend="eager")
compiled(torch.ones(8))
print("---- the second call ----")
compiled(torch.ones(8))
