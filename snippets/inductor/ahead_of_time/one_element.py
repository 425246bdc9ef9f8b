# /// lesson
# needs = ["compiler"]
# ///
"""A module that counts its calls in two buffers: in its package, the buffer with one element stops counting."""

import tempfile
from pathlib import Path

import torch
from torch import nn

from compile_lessons import Table, show


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("one", torch.zeros(1))
        self.register_buffer("two", torch.zeros(2))

    def forward(self, x):
        self.one += 1
        self.two += 1
        return x + self.one[0], x + self.two[0]


torch._inductor.config.aot_inductor.precompile_headers = False  # worth it for more than one package only
torch._inductor.config.aot_inductor.compile_wrapper_opt_level = "O0"  # compiles in less time
x = torch.zeros(4)
with tempfile.TemporaryDirectory() as folder:
    exported = torch.export.export(Counter(), (x,))
    path = str(Path(folder) / "counter.pt2")
    package = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(exported, package_path=path))
rows = []
for how, function in (("eager mode", Counter()), ("package", package)):
    counts = [[f"{count[0]:.0f}" for count in function(x)] for _ in range(4)]
    one, two = zip(*counts, strict=True)
    rows += [[how, "one", *one], [how, "two", *two]]
show(Table(["runs in", "elements", *(f"call {number}" for number in range(1, 5))], rows))
# region checks
assert [row[2:] == rows[0][2:] for row in rows] == [True, True, False, True]
# endregion
