# /// lesson
# needs = ["compiler"]
# ///
"""Inductor's kernel for an in-place operator writes into the input."""

import torch

from compile_lessons import capture, show


def double_in_place(x):
    x.mul_(2)
    return x + 1


x = torch.ones(512)
pipeline = capture(double_in_place)(x)
show(pipeline.kernels)
# region checks
[kernel] = pipeline.kernels
assert "arg0_1" in kernel.loads
assert "arg0_1" in kernel.stores
assert len(kernel.stores) == 2
assert torch.equal(x, torch.full((512,), 2.0))
# endregion
