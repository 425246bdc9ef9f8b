# /// lesson
# needs = ["compiler"]
# ///
"""The kernel that Inductor writes for the whole function."""

import re

import torch
from torch._inductor.utils import run_and_get_code


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 512)
y, [code] = run_and_get_code(torch.compile(quick_gelu), x)

start = code.index('extern "C"')
kernel = code[start : code.index("''')", start)]
kernel = re.sub(r"static_cast<int64_t>\((\w+)\)", r"\1", kernel)  # shorter lines
kernel = "\n".join(line for line in kernel.splitlines() if "div_error" not in line)
print(kernel.replace("    ", "  "))

kernels = code.count("async_compile.cpp_pybinding(")
reads, writes = kernel.count("in_ptr0") - 1, kernel.count("out_ptr0") - 1  # less the parameter
assert (kernels, reads, writes) == (1, 1, 1)
torch.testing.assert_close(y, quick_gelu(x))
