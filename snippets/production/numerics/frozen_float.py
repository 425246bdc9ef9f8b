# /// lesson
# needs = ["compiler"]
# ///
"""A module that changes a float attribute of its own: Inductor's version stops changing the float."""

import torch
from torch import nn

from compile_lessons import Table, show


class Attribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.temperature = 1.0

    def forward(self, x):
        self.temperature = self.temperature * 0.5
        return x * self.temperature


class Buffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("temperature", torch.tensor(1.0))

    def forward(self, x):
        self.temperature.mul_(0.5)
        return x * self.temperature


def five_calls(module, **options):
    torch.compiler.reset()
    compiled = torch.compile(module, **options)
    return [compiled(torch.ones(1)).item() for _ in range(5)]


rows = [["float, eager mode", *five_calls(Attribute(), disable=True)]]
for backend in ("aot_eager", "inductor"):
    rows.append([f"float, {backend}", *five_calls(Attribute(), backend=backend)])
rows.append(["buffer, inductor", *five_calls(Buffer())])
show(Table(["temperature is a", *(f"call {number}" for number in range(1, 6))], rows))
# region checks
assert [row[1:] == rows[0][1:] for row in rows] == [True, True, False, True]
# endregion
