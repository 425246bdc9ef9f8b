# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The kernel that Inductor writes for the same addition."""

import torch

from compile_lessons import capture


def add(x, y):
    return x + y


pipeline = capture(add, target="h200")(*torch.randn(2, 3000))
(kernel,) = pipeline.gpu_kernels
print(kernel.function)

# region checks
assert kernel.function.count("tl.load(") == 2
assert kernel.function.count("tl.store(") == 1
assert "tl.program_id(0) * XBLOCK" in kernel.function
assert "xindex < xnumel" in kernel.function
# endregion
