# /// lesson
# needs = ["compiler"]
# ///
"""Views in the function: which index expressions keep a division."""

import re

import torch

from compile_lessons import Table, capture, show


def divides(index):
    return "//" in index or "Modular" in index


def loops_and_index(function, x):
    [graph] = capture(function, machine_code=False)(x).graphs
    text = graph.inductor[0].ir[0].text
    loops, *indices = re.findall(r"(?:var_ranges|index\d) = (.+)", text)
    return loops, max(indices, key=divides)


x = torch.randn(48, 128)
cases = {
    "x.view(64, 96) + 1": lambda x: x.view(64, 96) + 1,
    "x.transpose(0, 1) + 1": lambda x: x.transpose(0, 1) + 1,
    "x.transpose(0, 1).reshape(-1) + 1": lambda x: x.transpose(0, 1).reshape(-1) + 1,
    "(x.transpose(0, 1) + 1).reshape(-1)": lambda x: (x.transpose(0, 1) + 1).reshape(
        -1
    ),
    "x.roll(3, dims=0) + 1": lambda x: x.roll(3, dims=0) + 1,
    "x.repeat(2, 1) + 1": lambda x: x.repeat(2, 1) + 1,
}
rows = [[case, *loops_and_index(function, x)] for case, function in cases.items()]
show(Table(["function of x, 48 by 128", "loops", "index"], rows))
# region checks
assert [divides(row[2]) for row in rows] == [False, False, True, False, True, True]
# endregion
