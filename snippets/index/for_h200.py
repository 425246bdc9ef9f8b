# /// lesson
# needs = ["triton"]
# ///
"""Compile the same function for an H200, on a machine without a GPU."""

import torch

from compile_lessons import capture


# region function
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


# endregion
x = torch.linspace(-4, 4, 512, requires_grad=True)
pipeline = capture(quick_gelu, target="h200")(x)
print(pipeline.gpu_kernels[0].function)

# region checks
assert len(pipeline.gpu_kernels) == 2
assert not torch.cuda.is_available()
# endregion
