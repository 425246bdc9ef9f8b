# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# env = {TORCH_LOGS = "-dynamo"}
# varies.output = ['\d[\d.,]* µs', '\d\.\d\d']
# varies.values = ["broken_ratio", "whole_ratio", "times"]
# ///
"""A graph break in a loop: Dynamo skips the whole function."""

import torch
from _paired import paired
from torch import nn

layers = nn.ModuleList(nn.Linear(16, 16) for _ in range(12))


# region before
def before(x):
    norms = []
    for layer in layers:
        x = torch.relu(layer(x)) * 1.01 + 0.1
        norms.append(x.norm().item())
    return x, norms


# endregion
# region after
def after(x):
    norms = []
    for layer in layers:
        x = torch.relu(layer(x)) * 1.01 + 0.1
        norms.append(x.norm())  # a tensor: call .item() on it after the compiled call
    return x, norms


# endregion
x, graphs, ratios = torch.randn(4, 16), {}, {}
for name, model in {".item() in the loop": before, "tensors kept": after}.items():
    torch.compiler.reset()
    torch._dynamo.utils.counters.clear()
    us = paired({"eager": model, "compiled": torch.compile(model)}, x)
    graphs[name], ratios[name] = torch._dynamo.utils.counters["stats"]["unique_graphs"], us["compiled"] / us["eager"]
    times = f"eager {us['eager']:.0f} µs, compiled {us['compiled']:.0f} µs"
    print(f"{name:20} {times}, graphs {graphs[name]}, compiled / eager {ratios[name]:.2f}")
broken_ratio, whole_ratio = ratios.values()

# region checks
assert graphs == {".item() in the loop": 0, "tensors kept": 1}
# endregion
