# /// lesson
# needs = ["triton"]
# memory = 8192
# env = {PYTHONWARNINGS = "ignore"}
# ///
"""Ways to write a product with int8 codes, and the kernel that multiplies."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, capture, show

codes = torch.randint(-127, 128, (512, 256), dtype=torch.int8)  # a row for each output
scale = torch.rand(512, dtype=torch.bfloat16)
x = torch.randn(2, 8, 256, dtype=torch.bfloat16)
ways = {
    "F.linear(x, codes.to(x.dtype)) * scale": (
        lambda x: F.linear(x, codes.to(x.dtype)) * scale
    ),
    "x @ codes.to(x.dtype).t() * scale": lambda x: x @ codes.to(x.dtype).t() * scale,
    "x @ codes.t().to(x.dtype) * scale": lambda x: x @ codes.t().to(x.dtype) * scale,
    "F.linear(x, codes.to(x.dtype))": lambda x: F.linear(x, codes.to(x.dtype)),
    "in float16: F.linear(x, codes.half()) * scale": (
        lambda x: F.linear(x.half(), codes.half()) * scale.half()
    ),
}


def library_kernel(function, x, target):
    kernels = capture(function, target=target, machine_code=False)(x).kernels
    [name] = [kernel.name for kernel in kernels if kernel.kind == "extern"]
    return name.removeprefix("extern_kernels.")


table = []
for way, function in ways.items():
    on_gpu = library_kernel(function, x, "h100")
    on_cpu = library_kernel(function, x, "cpu")
    matrix_on_gpu = library_kernel(function, x.view(16, 256), "h100")
    table.append([way, on_gpu, on_cpu, matrix_on_gpu])
show(Table(["written as", "3 dimensions, H100", "3, CPU", "2, H100"], table))
# region checks
packed = "_weight_int8pack_mm"
assert [row[1:] for row in table[:2]] == [[packed, packed, "mm"]] * 2
assert table[2][1:] == ["mm", "mm", packed]
assert [row[1:] for row in table[3:]] == [["mm", "mm", "mm"]] * 2
# endregion
