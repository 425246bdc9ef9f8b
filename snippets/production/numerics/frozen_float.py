# /// lesson
# needs = ["compiler"]
# ///
"""A module that changes its float attribute: Inductor's version stops doing so."""

import torch
from torch import nn

from compile_lessons import Table, show


# region modules
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

    def forward(self, x):  # the caller halves the temperature
        return x * self.temperature


# endregion
def five_calls(module, backend=None):
    call = torch.compile(module, backend=backend) if backend else module
    results = []
    for _ in range(5):
        if isinstance(module, Buffer):
            module.temperature *= 0.5
        results.append(call(torch.ones(1)).item())
    return results


rows = [
    ["float, eager mode", *five_calls(Attribute())],
    ["float, aot_eager", *five_calls(Attribute(), "aot_eager")],
    ["float, inductor", *five_calls(Attribute(), "inductor")],
    ["buffer, inductor", *five_calls(Buffer(), "inductor")],
]
show(Table(["temperature is a", *(f"call {number}" for number in range(1, 6))], rows))

# region checks
eager, aot_eager, attribute, buffer = (row[1:] for row in rows)
assert aot_eager == buffer == eager
assert attribute != eager
# endregion
