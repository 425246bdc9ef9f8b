# /// lesson
# needs = ["triton"]
# ///
"""tf32 on Hopper: how b is copied to shared memory, by rows and by columns."""

import torch
from product import product_kernel

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel

x = torch.empty(4096, 4096)
rows = []
for order, strides in {"row-major": (4096, 1), "column-major": (1, 4096)}.items():
    arguments = (x, x, x, 4096, *strides, "tf32", 128)
    code = compile_kernel(product_kernel, *arguments, num_warps=8)
    words = code.sass.split()
    copies = [word for word in words if word.startswith("LDGSTS")]
    wide = sum(".128" in copy for copy in copies)
    product = next(word for word in words if word.startswith("HGMMA"))
    rows.append([order, len(copies) - wide, wide, product])
columns = ["b is", "copies of 4 bytes", "copies of 16 bytes", "matmul instruction"]
show(Table(columns, rows))
# region checks
by_rows, by_columns = rows
assert by_rows[3] == by_columns[3]
assert by_columns[1] == 0 < by_rows[1]
# endregion
