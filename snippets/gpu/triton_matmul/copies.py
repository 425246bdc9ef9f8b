# /// lesson
# needs = ["triton"]
# ///
"""tf32 on Hopper: how b comes to shared memory, if it lies by rows or by columns."""

import re
from collections import Counter

import torch
from product import product_kernel

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel

a = b = out = torch.empty(4096, 4096)
rows, copies = [], {}
for order, strides in {"rows": (4096, 1), "columns": (1, 4096)}.items():
    code = compile_kernel(product_kernel, a, b, out, 4096, *strides, "tf32", 128, num_warps=8)
    copies[order] = Counter("16 bytes" if ".128" in line else "4 bytes" for line in re.findall(r"LDGSTS\S*", code.sass))
    product = set(re.findall(r"HGMMA\S*", code.sass))
    rows.append([order, copies[order]["4 bytes"], copies[order]["16 bytes"], ", ".join(product)])
show(Table(["b lies by", "copies of 4 bytes", "of 16 bytes", "product"], rows))
# region checks
assert rows[0][3] == rows[1][3] and copies["columns"]["4 bytes"] == 0 < copies["rows"]["4 bytes"]
# endregion
