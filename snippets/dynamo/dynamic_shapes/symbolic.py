# /// lesson
# env = {TORCH_LOGS = "dynamic", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""What the log says about symbols: created, asked about, fixed to one number."""

import torch


def shift(a):
    if a.shape[0] * 2 < 16:
        return a
    return a + 1


def add(a, b):
    return a + b


print("-> shift")
torch.compile(shift, backend="eager", dynamic=True)(torch.ones(8))
print("-> add, b has a fixed size")
b = torch.ones(8)
torch._dynamo.mark_static(b, 0)
torch.compile(add, backend="eager", dynamic=True)(torch.ones(8), b)
