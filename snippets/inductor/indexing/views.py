# /// lesson
# needs = ["compiler"]
# ///
"""Views in the function: which index expressions keep a division."""

import re

import torch

from compile_lessons import Table, capture, show


def load(function, shape):
    [graph] = capture(function, machine_code=False)(torch.randn(shape)).graphs
    found = re.findall(r"(?:var_ranges|index\d) = (.+)", graph.inductor[0].ir[0].text)
    return found[0], max(found[1:], key=lambda index: "//" in index or "Modular" in index)


cases = {
    "x.view(64, 96) + 1": lambda x: x.view(64, 96) + 1,
    "x.transpose(0, 1) + 1": lambda x: x.transpose(0, 1) + 1,
    "x.transpose(0, 1).reshape(-1) + 1": lambda x: x.transpose(0, 1).reshape(-1) + 1,
    "(x.transpose(0, 1) + 1).reshape(-1)": lambda x: (x.transpose(0, 1) + 1).reshape(-1),
    "x.roll(3, dims=0) + 1": lambda x: x.roll(3, dims=0) + 1,
    "x.repeat(2, 1) + 1": lambda x: x.repeat(2, 1) + 1,
}
rows = [[case, *load(function, (48, 128))] for case, function in cases.items()]
show(Table(["function of x, 48 by 128", "loops", "index"], rows))
# region checks
assert ["//" in row[2] or "Modular" in row[2] for row in rows] == [False, False, True, False, True, True]
# endregion
