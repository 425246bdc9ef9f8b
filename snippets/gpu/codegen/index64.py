# /// lesson
# needs = ["triton"]
# ///
"""When a kernel counts with 64 bits: the number of elements, and the last address."""

import torch

from compile_lessons import Table, capture, show

large = torch.empty(2**31 + 2, dtype=torch.int8)
CASES = {
    "2³¹ elements, without one": large[: 2**31 - 1],
    "2³¹ elements": large[: 2**31],
    "2,048 elements, 2²⁰ apart": large[: 2**31 : 2**20],
    "2,049 elements, 2²⁰ apart": large[:: 2**20],
}


def double(x):
    return x * 2


rows = []
for name, x in CASES.items():
    capturing = capture(double, target="h200", machine_code=False, dynamic=False)
    [kernel] = capturing(x).graphs[0].kernels
    lines = [line.strip() for line in kernel.source.splitlines()]
    [offset] = [line for line in lines if line.startswith("xoffset")]
    rows.append([name, offset.removeprefix("xoffset = ")])
show(Table(["x", "xoffset"], rows))
# region checks
assert ["int64" in row[1] for row in rows] == [False, True, False, True]
# endregion
