# /// lesson
# needs = ["triton"]
# ///
"""With a dynamic size, the kernels are those for the size of the first call."""

import torch

from compile_lessons import Table, capture, show


def row_sums(x):
    return x.sum(-1)


rows = []
for count in (4, 4096):
    capturing = capture(row_sums, target="h200", machine_code=False, dynamic=True)
    kernels = capturing(torch.empty(count, 65536)).graphs[0].kernels
    rows.append([count, ", ".join(kernel.name for kernel in kernels)])
show(Table(["rows in the first call", "kernels"], rows))
# region checks
assert rows[0][1].count("triton_") == 2
assert rows[1][1].count("triton_") == 1
# endregion
