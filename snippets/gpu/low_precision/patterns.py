# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""Ways to write a product with int8 codes, and the kernel that multiplies, for a GPU and for a CPU."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, capture, show

codes = torch.randint(-127, 128, (512, 256), dtype=torch.int8)  # one row for each output
scale, x = torch.rand(512, dtype=torch.bfloat16), torch.randn(2, 8, 256, dtype=torch.bfloat16)
ways = {
    "F.linear(x, codes.to(x.dtype)) * scale": lambda x: F.linear(x, codes.to(x.dtype)) * scale,
    "x @ codes.to(x.dtype).t() * scale": lambda x: x @ codes.to(x.dtype).t() * scale,
    "x @ codes.t().to(x.dtype) * scale": lambda x: x @ codes.t().to(x.dtype) * scale,
    "F.linear(x, codes.to(x.dtype))": lambda x: F.linear(x, codes.to(x.dtype)),
    "in float16: F.linear(x, codes.half()) * scale": lambda x: F.linear(x.half(), codes.half()) * scale.half(),
}
cases, table = {"3 dimensions, H100": (x, "h100"), "3, CPU": (x, "cpu"), "2, H100": (x.view(16, 256), "h100")}, []
for way, function in ways.items():
    captured = [capture(function, target=target, machine_code=False)(x).kernels for x, target in cases.values()]
    names = [next(kernel.name for kernel in kernels if kernel.kind == "extern") for kernels in captured]
    table.append([way, *(name.removeprefix("extern_kernels.") for name in names)])
show(Table(["written as", *cases], table))
# region checks
packed, mm = "_weight_int8pack_mm", "mm"
assert [row[1:] for row in table[:2]] == [[packed, packed, mm]] * 2
assert [row[1:] for row in table[2:]] == [[mm, mm, packed], [mm, mm, mm], [mm, mm, mm]]
# endregion
