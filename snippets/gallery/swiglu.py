# /// lesson
# needs = ["triton"]
# ///
"""SwiGLU, for a CPU and for an H200."""

import torch
import torch.nn.functional as F

from compile_lessons import Explorer, capture, show


# region function
def swiglu(x, gate, up, down):
    return (F.silu(x @ gate) * (x @ up)) @ down


# endregion
torch.set_float32_matmul_precision("high")
x = torch.randn(64, 256)
gate = torch.randn(256, 512)
up = torch.randn(256, 512)
down = torch.randn(512, 256)
captures = {
    "CPU": capture(swiglu, machine_code=False)(x, gate, up, down),
    "H200": capture(swiglu, target="h200")(x, gate, up, down),
}
show(Explorer(captures))
