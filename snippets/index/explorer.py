# /// lesson
# needs = ["triton"]
# ///
"""Every stage between a function and its kernels for an H200, side by side."""

import torch

from compile_lessons import Explorer, capture, show


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 512, requires_grad=True)
pipeline = capture(quick_gelu, target="h200")(x)
show(Explorer(pipeline, panes=["python", "dynamo", "forward", "kernels", "ptx"]))
# region checks
assert len(pipeline.gpu_kernels) == 2  # forward and backward
# endregion
