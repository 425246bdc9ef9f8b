# /// lesson
# needs = ["compiler"]
# ///
"""A counter that the compiled forward changes: gradients of the next step."""

import torch
from torch import nn

from compile_lessons import Table, show


# region modules
class Warmup(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.register_buffer("steps", torch.tensor(0))

    def forward(self, x):
        self.steps += 1
        return self.linear(x) * (self.steps / 10)


class CountedOutside(Warmup):
    def forward(self, x):
        return self.linear(x) * (self.steps / 10)


# endregion
# region train
def train(model, backend=None):
    call = torch.compile(model, backend=backend) if backend else model
    gradients = []
    for _ in range(4):
        if isinstance(model, CountedOutside):
            model.steps += 1
        model.zero_grad()
        call(torch.ones(4, 8)).sum().backward()
        gradients.append(round(model.linear.bias.grad[0].item(), 2))
    return gradients


# endregion
rows = [
    ["in forward", "eager mode", *train(Warmup())],
    ["in forward", "aot_eager", *train(Warmup(), "aot_eager")],
    ["in forward", "inductor", *train(Warmup(), "inductor")],
    ["outside", "inductor", *train(CountedOutside(), "inductor")],
]
columns = [
    "the steps are counted",
    "backend",
    *(f"step {step}" for step in range(1, 5)),
]
show(Table(columns, rows))

# region checks
eager, aot_eager, inductor, outside = (row[2:] for row in rows)
assert outside == eager
assert aot_eager == inductor
assert inductor[:3] == eager[1:]  # the gradients of the next step
# endregion
