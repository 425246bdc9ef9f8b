# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""A maximum whose padding is 0: right for most rows, wrong for negative ones."""

import _step5_triton
import torch
from _step5_launch import backend_on

from compile_lessons import Table, show


def padded_with_zero(node):
    x = f"where(mask, {node.args[0].name}_, 0)"
    return f"tl.reduce({x}, 1, maximum, keep_dims=True)"


def row_maximum(x):
    return x.amax(-1)


padded_with_minus_infinity = _step5_triton.reduction
rows = []
for columns in (8, 5):
    x = -torch.arange(1.0, 3 * columns + 1).view(3, columns)
    row = [f"3 x {columns}", str(row_maximum(x).tolist())]
    for reduction in (padded_with_minus_infinity, padded_with_zero):
        torch.compiler.reset()
        _step5_triton.reduction = reduction
        compiled = torch.compile(row_maximum, backend=backend_on("cpu"), dynamic=False)
        row.append(str(compiled(x).tolist()))
    rows.append(row)
show(Table(["shape", "eager mode", "padded with -inf", "padded with 0"], rows))
# region checks
assert rows[0][1] == rows[0][2] == rows[0][3]
assert rows[1][1] == rows[1][2] != rows[1][3]
# endregion
