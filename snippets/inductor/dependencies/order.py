# /// lesson
# needs = ["compiler"]
# ///
"""A write in place waits for earlier reads, and fuses if they read the same places."""

import re

import torch

from compile_lessons import Table, capture, show


def read_same_row(x, z):
    y = x + z
    x.copy_(z)
    return y


def read_other_row(x, z):
    y = x.flip(0) + z
    x.copy_(z)
    return y


x = torch.randn(64, 64)
z = torch.randn(64, 64)
rows = []
for function in (read_same_row, read_other_row):
    [graph] = capture(function, machine_code=False)(x, z).graphs
    lowered = graph.inductor[0]
    for dependency in re.findall(r"(?:Star|Weak)Dep\(.*?\)", lowered.ir[-1].text):
        print(f"{function.__name__}: the write has {dependency}")
    [decision] = lowered.decisions
    why_not = "" if decision.fused else decision.reason
    rows.append([function.__name__, decision.fused, why_not])
show(Table(["function", "fused", "why not"], rows))
# region checks
assert [row[1] for row in rows] == [True, False]
assert rows[1][2] == "memory deps did not match"
# endregion
