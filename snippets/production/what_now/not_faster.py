# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+%']
# varies.values = ["compiled", "products", "small_share"]
# ///
"""How much of a call is spent in compiled code, and how much in matmuls."""

import torch
from _quiet import quiet
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

from compile_lessons import Table, show


# region model
class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.RMSNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))

    def generate(self, x):
        return self(self(x))


# endregion
def shares(generate, x):
    """Return the shares of a call that compiled code takes, and that matmuls take."""
    generate(x)  # the first call compiles
    with profile(activities=[ProfilerActivity.CPU]) as run, record_function("one call"):
        generate(x)
    times = {}
    for event in run.key_averages():
        times[event.key.split(": ")[0]] = event.cpu_time_total
    compiled = times.get("Torch-Compiled Region", 0)
    return compiled / times["one call"], times["aten::addmm"] / times["one call"]


# region calls
wrapper = torch.compile(Model(64))
small = Model(64)
small.compile()
large = Model(1024)
large.compile()
with torch.inference_mode(), quiet():
    calls = {
        "torch.compile(model).generate(x)": shares(
            wrapper.generate, torch.ones(64, 64)
        ),
        "model.compile(), model.generate(x)": shares(
            small.generate, torch.ones(64, 64)
        ),
        "the same, width 1024": shares(large.generate, torch.ones(64, 1024)),
    }
# endregion
rows = []
for name, (compiled, products) in calls.items():
    rows.append([name, f"{compiled:.0%}", f"{products:.0%}"])
show(Table(["call", "in compiled code", "in matmuls"], rows))

# region checks
wrapped_share, small_share, _ = (compiled for compiled, _ in calls.values())
assert wrapped_share == 0
assert small_share > 0
# endregion
