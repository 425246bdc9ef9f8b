# /// lesson
# needs = ["triton"]
# memory = 8192
# timeout = 180
# ///
"""From a kernel's name to the lines of the model that it computes, without a GPU."""

import re

import torch
import torch.nn.functional as F

from compile_lessons import Table, capture, show


class Mlp(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.RMSNorm(width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def forward(self, x):
        y = self.norm(x)
        y = F.gelu(self.up(y))
        return x + self.down(y)


x = torch.randn(64, 256, dtype=torch.bfloat16, requires_grad=True)
pipeline = capture(Mlp(256).bfloat16(), target="h200", machine_code=False)(x)
rows = []
for part in pipeline.graphs[0].inductor:
    output_code = part.output_code.splitlines()
    lines_of = {}
    for line in part.code_lines:
        names = re.findall(r"triton_\w+", output_code[line.line - 1])
        if names and line.location:
            lines_of.setdefault(names[0], set()).add(line.location.text)
    for name, lines in lines_of.items():
        rows.append([part.direction, name, "; ".join(sorted(lines))])
show(Table(["pass", "kernel", "lines of the model"], rows))
# region checks
assert any("gelu" in row[1] for row in rows)
# endregion
