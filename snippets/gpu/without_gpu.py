# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""From quick_gelu to the machine code of an H200, on a machine without a GPU."""

import torch

from compile_lessons import capture, show


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 1 << 20, requires_grad=True)
pipeline = capture(quick_gelu, target="h200")(x)
forward, backward = pipeline.gpu_kernels
show(forward)

# region checks
registers = forward.code.registers
shared = forward.code.shared
spills = forward.code.spill_stores
occupancy = forward.code.occupancy.share
assert x.device.type == "cpu"
assert "tl.sigmoid" in forward.function
assert spills == 0
# endregion
