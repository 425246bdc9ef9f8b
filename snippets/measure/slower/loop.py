# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# env = {TORCH_LOGS = "-dynamo"}
# varies.output = ['\d[\d.,]* µs', '\d\.\d\d']
# varies.values = ["ratio"]
# ///
"""A graph break in a loop: Dynamo skips the whole function."""

import torch
from _paired import paired
from torch import nn

from compile_lessons import count_graphs

layers = nn.ModuleList(nn.Linear(16, 16) for _ in range(12))


# region before
def encode_with_numbers(x):
    norms = []
    for layer in layers:
        x = torch.relu(layer(x)) * 1.01 + 0.1
        norms.append(x.norm().item())
    return x, norms


# endregion
# region after
def encode_with_tensors(x):
    norms = []
    for layer in layers:
        x = torch.relu(layer(x)) * 1.01 + 0.1
        norms.append(x.norm())  # a tensor: call .item() on it after the compiled call
    return x, norms


# endregion
x = torch.randn(4, 16)
graphs = []
for encode in (encode_with_numbers, encode_with_tensors):
    us = paired({"eager": encode, "compiled": torch.compile(encode)}, x)
    graphs.append(count_graphs(encode)(x))
    ratio = us["compiled"] / us["eager"]
    print(f"{encode.__name__}: {graphs[-1]} graphs")
    print(
        f"    eager {us['eager']:.0f} µs, compiled {us['compiled']:.0f} µs, {ratio:.2f}"
    )

# region checks
assert graphs == [0, 1]
# endregion
