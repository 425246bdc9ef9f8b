# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# env = {TORCH_LOGS = "-dynamo"}
# varies.output = ['\d[\d.,]* µs', '\d\.\d\d']
# varies.values = ["broken_ratio", "whole_ratio"]
# ///
"""A graph break in a loop: Dynamo gives the whole loop up, and compiles only what it calls."""

import torch
from _paired import paired
from torch import nn


class Stack(nn.Module):
    def __init__(self, watched):
        super().__init__()
        self.layers, self.watched, self.norms = nn.ModuleList(nn.Linear(16, 16) for _ in range(12)), watched, []

    def forward(self, x):
        norms = []
        for layer in self.layers:
            x = torch.relu(layer(x)) * 1.01 + 0.1
            norms.append(x.norm().item() if self.watched else x.norm())
        self.norms = norms
        return x


x, graphs, ratios = torch.randn(4, 16), {}, {}
for name, watched in {".item() in the loop": True, "tensors kept": False}.items():
    torch.compiler.reset()
    torch._dynamo.utils.counters.clear()
    torch.manual_seed(0)
    model = Stack(watched)
    us = paired({"eager": model, "compiled": torch.compile(model)}, x)
    graphs[name], ratios[name] = torch._dynamo.utils.counters["stats"]["unique_graphs"], us["compiled"] / us["eager"]
    times = f"eager {us['eager']:.0f} µs, compiled {us['compiled']:.0f} µs"
    print(f"{name:20} {times}, {graphs[name]} graphs, compiled / eager {ratios[name]:.2f}")
broken_ratio, whole_ratio = ratios.values()

# region checks
assert graphs == {".item() in the loop": 0, "tensors kept": 1}
# endregion
