# /// lesson
# needs = ["compiler"]
# ///
"""The same function with static and with dynamic sizes: the loop and its index."""

import re

import torch

from compile_lessons import Table, capture, show


def tail(x):
    return x[:, 1:].relu()


def flat(x):
    return x.transpose(1, 2).reshape(-1).relu()


x = torch.randn(8, 48, 96)
rows = []
for function in (tail, flat):
    for dynamic in (False, True):
        [graph] = capture(function, dynamic=dynamic, machine_code=False)(x).graphs
        text = graph.inductor[0].ir[0].text
        loops, index = re.findall(r"(?:var_ranges|index0) = (.+)", text)
        sizes = "dynamic" if dynamic else "static"
        rows.append([function.__name__, sizes, loops, index])
show(Table(["function", "sizes", "loops", "index of the load"], rows))
code = graph.kernels[0].source.replace("static_cast<int64_t>", "")
print(next(line.strip() for line in code.splitlines() if "in_ptr0[" in line))
# region checks
_, dynamic_tail, static_flat, _ = (row[3] for row in rows)
assert "ModularIndexing" in static_flat
assert "s" in dynamic_tail
assert "ks0" in code
# endregion
