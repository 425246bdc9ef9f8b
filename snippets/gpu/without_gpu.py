# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""From quick_gelu to the machine code of an H200, on a machine without a GPU."""

import torch

from compile_lessons.gpu import cross_compile
from compile_lessons.show import show
from compile_lessons.table import Table


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 1 << 20, requires_grad=True)
code = cross_compile(quick_gelu, "h200")(x)
print(code)

forward = code.kernels[0].code
rows = [[line.triton, line.text, len(line.ptx), len(line.sass)] for line in forward.lines]
show(Table(["line", "Triton", "PTX instructions", "SASS instructions"], rows))

registers, shared = forward.registers, forward.shared
occupancy = forward.occupancy.share
limit = forward.occupancy.limit
assert len(code.kernels) == 2
assert forward.spill_stores == 0
