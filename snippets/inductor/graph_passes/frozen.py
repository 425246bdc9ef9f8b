# /// lesson
# needs = ["compiler"]
# ///
"""Freezing: a batch norm disappears into the convolution before it."""

import torch
import torch._inductor.config

from compile_lessons import Table, capture, show

layers = torch.nn.Conv2d(8, 16, 3, bias=False), torch.nn.BatchNorm2d(16), torch.nn.ReLU()
model = torch.nn.Sequential(*layers).eval()
model[1].running_mean.uniform_()
x, rows = torch.randn(4, 8, 32, 32), []
for freezing in (False, True):
    torch._inductor.config.freezing = freezing
    with torch.no_grad():
        [graph] = capture(model, machine_code=False)(x).graphs
    nodes = graph.inductor[0].post_grad.nodes
    count = [sum(node.op == op for node in nodes) for op in ("placeholder", "get_attr", "call_function")]
    rows.append([freezing, *count, " ".join(kernel.name for kernel in graph.kernels)])
show(Table(["freezing", "inputs", "constants", "operators", "kernels"], rows))
# region checks
assert rows[0][1:4] == [6, 0, 18] and rows[1][1:4] == [1, 2, 2]
assert "batch_norm" in rows[0][4] and "batch_norm" not in rows[1][4]
# endregion
