# /// lesson
# needs = ["compiler"]
# ///
"""Everything that Inductor writes for the forward pass."""

import torch
from torch._inductor.utils import run_and_get_code


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 512)
y, [code] = run_and_get_code(torch.compile(quick_gelu), x)
print(code)

allocations = code.count("buf0 = empty_strided_cpu(")
size_checks = code.count("    assert_size_stride(")
assert (allocations, size_checks) == (1, 1)
