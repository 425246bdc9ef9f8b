# /// lesson
# needs = ["compiler"]
# ///
"""Which loops fuse with the sums of the rows: their read of the sums decides."""

import re

import torch

from compile_lessons import Table, capture, show

LOOPS = {
    "sums * 2": lambda x, i: x.sum(1) * 2,
    "x / sums[:, None]": lambda x, i: x / x.sum(1)[:, None],
    "x / sums[None, :]": lambda x, i: x / x.sum(1)[None, :],
    "sums[1:] * 2": lambda x, i: x.sum(1)[1:] * 2,
    "sums.flip(0) * 2": lambda x, i: x.sum(1).flip(0) * 2,
    "sums[i] * 2": lambda x, i: x.sum(1)[i] * 2,
}
DEPENDENCY = re.compile(r"MemoryDep\('buf0', (.*?})\)")
x = torch.randn(64, 64)
i = torch.arange(64)
rows = []
for name, function in LOOPS.items():
    [graph] = capture(function, machine_code=False)(x, i).graphs
    lowered = graph.inductor[0]
    [write] = DEPENDENCY.findall(lowered.ir[0].text)
    [read] = DEPENDENCY.findall(lowered.ir[1].text)
    [decision] = lowered.decisions
    why_not = "" if decision.fused else decision.reason
    rows.append([name, write, read, decision.fused, why_not])
show(Table(["loop", "write of sums", "read of sums", "fused", "why not"], rows))
# region checks
assert [row[3] for row in rows] == [True, True, False, False, False, False]
assert all((row[1] == row[2]) == row[3] for row in rows)
# endregion
