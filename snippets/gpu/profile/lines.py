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
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        y = self.norm(x)
        y = F.gelu(self.up(y))
        return x + self.down(y)


x = torch.randn(64, 256, dtype=torch.bfloat16, requires_grad=True)
rows = []
for part in capture(Mlp(256).bfloat16(), target="h200", machine_code=False)(x).graphs[0].inductor:
    output_code, found = part.output_code.splitlines(), {}
    for line in part.code_lines:
        if line.location and (name := re.search(r"triton_\w+", output_code[line.line - 1])):
            found.setdefault(name[0], set()).add(line.location.text)
    rows += [[part.direction, name, "; ".join(sorted(texts))] for name, texts in found.items()]
show(Table(["pass", "kernel", "lines of the model"], rows))
# region checks
assert any("gelu" in row[1] for row in rows)
# endregion
