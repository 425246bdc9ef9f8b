# /// lesson
# needs = ["compiler"]
# ///
"""The kernel that Inductor writes for the whole function."""

import torch
from torch._inductor.utils import run_and_get_code


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 1024)
y, [code] = run_and_get_code(torch.compile(quick_gelu), x)

start = code.index('extern "C"')
kernel = code[start : code.index("''')", start)]
print("\n".join(line for line in kernel.splitlines() if "integer_div_error" not in line))

kernels = code.count("async_compile.cpp_pybinding(")
loads = kernel.count("in_ptr0 +")
stores = kernel.count("store(") or kernel.count("out_ptr0[")
assert (kernels, loads, stores) == (1, 1, 1)
torch.testing.assert_close(y, quick_gelu(x))
