# /// lesson
# needs = ["triton"]
# ///
"""From a kernel to your lines, and from a line to its kernels."""

import re

import torch

from compile_lessons import capture


def gate(x, weight):
    hidden = torch.relu(x) * weight
    total = hidden.sum(-1, keepdim=True)
    return hidden / total


x = torch.empty(1024, 1024)
weight = torch.empty(1024)
pipeline = capture(gate, target="h200", machine_code=False)(x, weight)
code = pipeline.graphs[0].inductor[0].output_code
for line in code.splitlines():
    if re.match(r"# (Topologically|Source node|  \w+ => )|triton_per\w+ = ", line):
        print(line[:150])
print()
print(pipeline.lines)
# region checks
assert "Source Nodes: [relu, hidden, total, truediv]" in code
# endregion
