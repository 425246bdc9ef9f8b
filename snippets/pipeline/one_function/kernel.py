# /// lesson
# needs = ["compiler"]
# ///
"""The C++ kernels of the forward and the backward pass."""

import re

import torch
from torch._inductor.utils import run_fw_bw_and_get_code


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 512, requires_grad=True)
y, codes = run_fw_bw_and_get_code(lambda: torch.compile(quick_gelu)(x))

for code in codes:
    start = code.index('extern "C"')
    kernel = code[start : code.index("''')", start)]
    kernel = re.sub(r"static_cast<int64_t>\((\w+)\)", r"\1", kernel)  # shorter lines
    print(re.search(r"cpp_fused\w+", code).group())
    print("\n".join(line for line in kernel.splitlines() if "integer_div_error" not in line), "\n")

kernels = sum(code.count("async_compile.cpp_pybinding(") for code in codes)
exps = [code.count(".exp()") or code.count("std::exp(") for code in codes]
assert (len(codes), kernels, exps) == (2, 2, [1, 1])
torch.testing.assert_close(y, quick_gelu(x))
