# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The kernels of three linear layers for an H100, and the bytes that they move, for one row and for sixteen."""

import torch
from float8_layer import Float8Linear
from int8_layer import Int8Linear
from torch import nn

from compile_lessons import Table, capture, show

linear = nn.Linear(4096, 4096, bias=False, dtype=torch.bfloat16)
tuned = {"coordinate_descent_tuning": True}
cases = [(linear, {}), (Int8Linear(linear), {}), (Int8Linear(linear), tuned), (Float8Linear(linear), {})]
table, megabytes = [], {}
for rows in (1, 16):
    x = torch.randn(rows, 4096, dtype=torch.bfloat16)
    for layer, options in cases:
        pipeline = capture(layer, target="h100", options=options, machine_code=False, backward=False)(x)
        moved = sum(kernel.bytes for kernel in pipeline.kernels) / 1e6
        megabytes[rows, type(layer).__name__, bool(options)] = moved
        names = [kernel.name for kernel in pipeline.kernels]
        table.append([rows, type(layer).__name__, ", ".join(options) or "-", f"{moved:.0f}", ", ".join(names)])
show(Table(["rows", "layer", "option", "MB moved", "kernels"], table))
# region checks
assert megabytes[1, "Int8Linear", False] > 2 * megabytes[1, "Linear", False]
assert megabytes[1, "Int8Linear", True] < 0.6 * megabytes[1, "Linear", False]
assert megabytes[16, "Int8Linear", True] == megabytes[16, "Int8Linear", False]
assert megabytes[16, "Float8Linear", False] < 0.6 * megabytes[16, "Linear", False]
# endregion
