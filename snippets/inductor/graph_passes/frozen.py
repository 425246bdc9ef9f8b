# /// lesson
# needs = ["compiler"]
# ///
"""Freezing: a batch norm disappears into the convolution before it."""

import torch
from torch._inductor import config

from compile_lessons import Table, capture, show

convolution = torch.nn.Conv2d(8, 16, 3, bias=False)
norm = torch.nn.BatchNorm2d(16)
norm.running_mean.uniform_()  # a trained norm's mean isn't zero
model = torch.nn.Sequential(convolution, norm, torch.nn.ReLU()).eval()
x = torch.randn(4, 8, 32, 32)
rows = []
for freezing in (False, True):
    config.freezing = freezing
    with torch.no_grad():
        [graph] = capture(model, machine_code=False)(x).graphs
    kinds = [node.op for node in graph.inductor[0].post_grad.nodes]
    inputs = kinds.count("placeholder")
    constants = kinds.count("get_attr")
    operators = kinds.count("call_function")
    kernels = " ".join(kernel.name for kernel in graph.kernels)
    rows.append([freezing, inputs, constants, operators, kernels])
show(Table(["freezing", "inputs", "constants", "operators", "kernels"], rows))
# region checks
assert rows[0][1:4] == [6, 0, 18]
assert rows[1][1:4] == [1, 2, 2]
assert "batch_norm" in rows[0][4]
assert "batch_norm" not in rows[1][4]
# endregion
