"""A service swaps adapters by putting a new tensor in the place of a weight."""

import torch

layer = torch.nn.Linear(64, 64, device="cuda")
model = torch.compile(layer, mode="reduce-overhead")
x = torch.ones(8, 64, device="cuda")
with torch.no_grad():
    for request in range(24):
        if request % 4 == 0:
            layer.weight.data = torch.randn(64, 64, device="cuda")
        model(x)  # finding: cuda-graph-recorded-again
