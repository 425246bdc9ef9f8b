"""A service swaps adapters by putting a tensor of its own in the place of a weight."""

import torch

layer = torch.nn.Linear(64, 64, device="cuda")
model = torch.compile(layer, mode="reduce-overhead")
adapters = [torch.randn(64, 64, device="cuda") for _ in range(6)]
x = torch.ones(8, 64, device="cuda")
with torch.no_grad():
    for request in range(24):
        if request % 4 == 0:
            layer.weight.data = adapters[request // 4]
        model(x)  # finding: cuda-graph-recorded-again
