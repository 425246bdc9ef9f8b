# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""Ways to write a product with int8 codes, and the kernel that multiplies, for a GPU and for a CPU."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, capture, show

codes = torch.randint(-127, 128, (512, 256), dtype=torch.int8)  # one row for each output
scale, x = torch.rand(512, dtype=torch.bfloat16), torch.randn(16, 256, dtype=torch.bfloat16)
ways = {
    "x @ codes.t().to(x.dtype) * scale": lambda x: x @ codes.t().to(x.dtype) * scale,
    "the same, x with three dimensions": lambda x: x[None] @ codes.t().to(x.dtype) * scale,
    "x @ codes.t().to(x.dtype)": lambda x: x @ codes.t().to(x.dtype),
    "x @ codes.to(x.dtype).t() * scale": lambda x: x @ codes.to(x.dtype).t() * scale,
    "F.linear(x, codes.to(x.dtype)) * scale": lambda x: F.linear(x, codes.to(x.dtype)) * scale,
    "in float16: x @ codes.t().half() * scale": lambda x: x.half() @ codes.t().half() * scale.half(),
}
table = []
for way, function in ways.items():
    captured = [capture(function, target=target, machine_code=False)(x).kernels for target in ("h100", "cpu")]
    table.append([way, *(next(kernel.name for kernel in kernels if kernel.kind == "extern") for kernels in captured)])
show(Table(["written as", "for an H100", "for a CPU"], table))
# region checks
found = [[name == "extern_kernels._weight_int8pack_mm" for name in row[1:]] for row in table]
assert found == [[True, True], *([[False, False]] * 5)]
# endregion
