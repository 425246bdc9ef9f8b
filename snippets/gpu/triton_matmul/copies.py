# /// lesson
# needs = ["triton"]
# ///
"""tf32 on Hopper: how b is copied to shared memory, if it is row-major or column-major."""

import torch
from product import product_kernel

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel

a = b = out = torch.empty(4096, 4096)
rows = []
for order, strides in {"row-major": (4096, 1), "column-major": (1, 4096)}.items():
    code = compile_kernel(product_kernel, a, b, out, 4096, *strides, "tf32", 128, num_warps=8)
    instructions = code.sass.split()
    wide = [".128" in word for word in instructions if word.startswith("LDGSTS")]
    product = next(word for word in instructions if word.startswith("HGMMA"))
    rows.append([order, wide.count(False), wide.count(True), product])
show(Table(["b is", "copies of 4 bytes", "copies of 16 bytes", "matmul instruction"], rows))
# region checks
assert rows[0][3] == rows[1][3] and rows[1][1] == 0 < rows[0][1]
# endregion
