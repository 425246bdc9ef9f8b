# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The kernels of three linear layers for an H100, and the bytes that they move."""

import torch
from float8_layer import Float8Linear
from int8_layer import Int8Linear
from torch import nn

from compile_lessons import Table, capture, show

linear = nn.Linear(4096, 4096, bias=False, dtype=torch.bfloat16)
tuned = {"coordinate_descent_tuning": True}
cases = [
    ("Linear", linear, {}),
    ("Int8Linear", Int8Linear(linear), {}),
    ("Int8Linear", Int8Linear(linear), tuned),
    ("Float8Linear", Float8Linear(linear), {}),
]


def kernels_of(layer, options, rows):
    x = torch.randn(rows, 4096, dtype=torch.bfloat16)
    settings = {"options": options, "machine_code": False, "backward": False}
    return capture(layer, target="h100", **settings)(x).kernels


table = []
megabytes = {}
for rows in (1, 16):
    for name, layer, options in cases:
        kernels = kernels_of(layer, options, rows)
        option = ", ".join(options) or "-"
        moved = sum(kernel.bytes for kernel in kernels) / 1e6
        megabytes[rows, name, option] = moved
        names = ", ".join(kernel.name for kernel in kernels)
        table.append([rows, name, option, f"{moved:.0f}", names])
show(Table(["rows", "layer", "option", "MB moved", "kernels"], table))
# region checks
option = "coordinate_descent_tuning"
assert megabytes[1, "Int8Linear", "-"] > 2 * megabytes[1, "Linear", "-"]
assert megabytes[1, "Int8Linear", option] < 0.6 * megabytes[1, "Linear", "-"]
assert megabytes[16, "Int8Linear", option] == megabytes[16, "Int8Linear", "-"]
assert megabytes[16, "Float8Linear", "-"] < 0.6 * megabytes[16, "Linear", "-"]
# endregion
