# /// lesson
# needs = ["triton"]
# ///
"""A size divisible by 16 lets Triton load 16 bytes at a time, on an H200."""

import re
from collections import Counter

import torch
from add import add_kernel

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel

x = torch.empty(1024)
rows = []
for n in (1 << 20, (1 << 20) + 1):
    code = compile_kernel(add_kernel, x, x, x, n, BLOCK=1024, num_warps=4)
    loads = Counter(re.findall(r"ld\.global\.?\S*", code.ptx))
    for instruction, count in loads.items():
        rows.append([n, n % 16 == 0, instruction, count])
show(Table(["n", "divisible by 16", "load", "instructions"], rows))

# region checks
wide = [row[3] for row in rows if "v4" in row[2]]
narrow = [row[3] for row in rows if "v4" not in row[2]]
assert all(row[1] for row in rows if "v4" in row[2])
assert sum(wide) == 4
assert sum(narrow) == 16
# endregion
