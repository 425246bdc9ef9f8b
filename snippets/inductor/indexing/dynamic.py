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


x, rows = torch.randn(8, 48, 96), []
for function in (tail, flat):
    for dynamic in (False, True):
        [graph] = capture(function, dynamic=dynamic, machine_code=False)(x).graphs
        loops, index = re.findall(r"(?:var_ranges|index0) = (.+)", graph.inductor[0].ir[0].text)
        code = graph.kernels[0].source.replace("static_cast<int64_t>", "")
        rows.append([function.__name__, "dynamic" if dynamic else "static", loops, index])
show(Table(["function", "sizes", "loops", "index of the load"], rows))
print(next(line.strip() for line in code.splitlines() if "in_ptr0[" in line))
# region checks
assert "ModularIndexing" in rows[2][3] and "s" in rows[1][3] and "ks0" in code
# endregion
