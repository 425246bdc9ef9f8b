# /// lesson
# needs = ["compiler"]
# ///
"""The C++ kernels of the forward and the backward pass."""

import torch
from torch._inductor.utils import run_fw_bw_and_get_code


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 1024, requires_grad=True)
y, codes = run_fw_bw_and_get_code(lambda: torch.compile(quick_gelu)(x))

for code in codes:
    start, end = code.index("cpp_fused"), code.index("''')")
    lines = code[start:end].splitlines()
    print("\n".join(line for line in lines if "integer_div_error" not in line), "\n")

kernels = sum(code.count("async_compile.cpp_pybinding(") for code in codes)
tensors_saved = len(y.grad_fn.saved_tensors) if y.grad_fn else 0
assert (len(codes), kernels) == (2, 2)
torch.testing.assert_close(y, quick_gelu(x))
