# /// lesson
# needs = ["triton"]
# ///
"""tf32 on Hopper: how b comes to shared memory, if it lies by rows or by columns."""

import torch
from product import product_kernel

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel

a = b = out = torch.empty(4096, 4096)
rows = []
for order, strides in {"rows": (4096, 1), "columns": (1, 4096)}.items():
    code = compile_kernel(product_kernel, a, b, out, 4096, *strides, "tf32", 128, num_warps=8)
    instructions = code.sass.split()
    wide = [".128" in word for word in instructions if word.startswith("LDGSTS")]
    product = next(word for word in instructions if word.startswith("HGMMA"))
    rows.append([order, wide.count(False), wide.count(True), product])
show(Table(["b lies by", "copies of 4 bytes", "of 16 bytes", "product"], rows))
# region checks
assert rows[0][3] == rows[1][3] and rows[1][1] == 0 < rows[0][1]
# endregion
