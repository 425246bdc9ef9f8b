# /// lesson
# needs = ["compiler"]
# ///
"""A module counts its calls; its package stops counting in the one-element buffer."""

import tempfile
from pathlib import Path

import torch
from torch import nn
from torch._inductor import (  # documented, although the name looks private
    aoti_compile_and_package,
    aoti_load_package,
    config,
)

from compile_lessons import Table, show


# region counter
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("one", torch.zeros(1))
        self.register_buffer("two", torch.zeros(2))

    def forward(self, x):
        self.one += 1
        self.two += 1
        return x + self.one[0], x + self.two[0]


# endregion
config.aot_inductor.precompile_headers = False  # worth it for several packages only
config.aot_inductor.compile_wrapper_opt_level = "O0"  # compiles in less time
x = torch.zeros(4)
with tempfile.TemporaryDirectory() as folder:
    exported = torch.export.export(Counter(), (x,))
    path = str(Path(folder) / "counter.pt2")
    package = aoti_load_package(aoti_compile_and_package(exported, package_path=path))
rows = []
for how, counter in (("eager mode", Counter()), ("package", package)):
    calls = [counter(x) for _ in range(4)]
    rows.append([how, "one", *(f"{one[0]:.0f}" for one, _ in calls)])
    rows.append([how, "two", *(f"{two[0]:.0f}" for _, two in calls)])
columns = [f"call {number}" for number in range(1, 5)]
show(Table(["runs in", "elements", *columns], rows))
# region checks
assert [row[2:] == rows[0][2:] for row in rows] == [True, True, False, True]
# endregion
