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
loads = {}
for n in (1 << 20, (1 << 20) + 1):
    code = compile_kernel(add_kernel, x, x, x, n, BLOCK=1024, num_warps=4)
    loads[n] = Counter(re.findall(r"ld\.global\.?\S*", code.ptx))
rows = [[n, n % 16 == 0, instruction, count] for n in loads for instruction, count in loads[n].items()]
show(Table(["n", "divisible by 16", "load", "instructions"], rows))

divisible, other = loads.values()
wide, narrow = divisible.total(), other.total()
# region checks
assert all("v4" in name for name in divisible) and not any("v4" in name for name in other)
assert (wide, narrow) == (4, 16)
# endregion
