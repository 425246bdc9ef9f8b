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

target, triton_version = pipeline.target, pipeline.gpu.triton_version
registers, shared, spills = forward.code.registers, forward.code.shared, forward.code.spill_stores
occupancy, limit = forward.code.occupancy.share, forward.code.occupancy.limit
# region checks
assert x.device.type == "cpu"
assert "tl.sigmoid" in forward.function
assert spills == 0
# endregion
