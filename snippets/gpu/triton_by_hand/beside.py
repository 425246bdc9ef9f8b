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

loads, stores = kernel.function.count("tl.load("), kernel.function.count("tl.store(")
block, warps = kernel.code.config.blocks["XBLOCK"], kernel.code.config.num_warps
# region checks
assert (loads, stores) == (2, 1)
assert "tl.program_id(0) * XBLOCK" in kernel.function and "xindex < xnumel" in kernel.function
# endregion
