# /// lesson
# needs = ["compiler"]
# ///
"""Freezing computes the dequantized weight once, and keeps it in addition."""

import torch
from int8_layer import Int8Linear
from torch import nn
from torch._inductor import config

from compile_lessons import Table, capture, show

rows = []
for dtype in (torch.bfloat16, torch.float16, torch.float32):
    layer = Int8Linear(nn.Linear(256, 512, bias=False, dtype=dtype)).eval()
    x = torch.randn(16, 256, dtype=dtype)
    for freezing in (False, True):
        config.freezing = freezing
        with torch.no_grad():
            kernels = capture(layer, machine_code=False)(x).kernels
        names = ", ".join(kernel.name for kernel in kernels)
        rows.append([str(dtype).removeprefix("torch."), freezing, names])
show(Table(["dtype", "freezing", "kernels"], rows))
# region checks
assert [len(row[2].split(", ")) for row in rows] == [3, 3, 3, 2, 3, 2]
# endregion
