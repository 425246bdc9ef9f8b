# /// lesson
# needs = ["compiler"]
# ///
"""Torch prints the forward and the backward graph of a layer."""

import torch

torch._logging.set_logs(aot_graphs=True)


@torch.compile
def layer(x, w):
    return torch.tanh(x @ w)


w = torch.ones(3, 2, requires_grad=True)
layer(torch.ones(4, 3), w).sum().backward()

# region checks
assert w.grad.shape == w.shape
# endregion
