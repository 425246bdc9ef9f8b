# /// lesson
# needs = ["triton"]
# ///
"""RMSNorm, written by hand, for a CPU and for an H200."""

import torch

from compile_lessons import Explorer, capture, show


# region function
def rms_norm(x, weight):
    x32 = x.float()
    scale = torch.rsqrt(x32.square().mean(-1, keepdim=True) + 1e-6)
    return (x32 * scale).to(x.dtype) * weight


# endregion
x = torch.randn(64, 1024, dtype=torch.bfloat16)
weight = torch.ones(1024, dtype=torch.bfloat16)
captures = {
    "CPU": capture(rms_norm, machine_code=False)(x, weight),
    "H200": capture(rms_norm, target="h200")(x, weight),
}
show(Explorer(captures))
