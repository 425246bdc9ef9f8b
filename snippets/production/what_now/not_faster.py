# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+%']
# varies.values = ["uncompiled", "compiled", "products"]
# ///
"""How much of a call is spent in compiled code, and how much in matrix products."""

import torch
from _quiet import quiet
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

from compile_lessons import Table, show


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.up, self.down = nn.RMSNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))

    def generate(self, x):
        return self(self(x))


# region tell
def shares(generate, x):
    generate(x)  # the first call compiles
    with profile(activities=[ProfilerActivity.CPU]) as run, record_function("one call"):
        generate(x)
    total = {event.key.split(": ")[0]: event.cpu_time_total for event in run.key_averages()}
    return [total.get(name, 0) / total["one call"] for name in ("Torch-Compiled Region", "aten::addmm")]


# endregion
with torch.inference_mode(), quiet():
    rows = {"torch.compile(model).generate(x)": shares(torch.compile(Model(64)).generate, torch.ones(64, 64))}
    for name, width in [("model.compile(), model.generate(x)", 64), ("the same, width 1024", 1024)]:
        (model := Model(width)).compile()
        rows[name] = shares(model.generate, torch.ones(64, width))
cells = [[name, *(f"{share:.0%}" for share in row)] for name, row in rows.items()]
show(Table(["call", "in compiled code", "in matrix products"], cells))
(uncompiled, _), (compiled, _), (_, products) = rows.values()
# region checks
assert uncompiled == 0 < compiled
# endregion
