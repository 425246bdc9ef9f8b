"""A function with a graph break and a recompile, in training."""

import torch


@torch.compile
def gate(x, w, mode):
    h = torch.relu(x * w)
    print("activated")
    return h * 2 if mode == "double" else h + 1


x = torch.ones(8)
w = torch.ones(8, requires_grad=True)
for mode in ("double", "double", "shift"):
    gate(x, w, mode).sum().backward()
