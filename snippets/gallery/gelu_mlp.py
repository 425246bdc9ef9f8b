# /// lesson
# needs = ["triton"]
# ///
"""A GELU MLP, for a CPU and for an H200."""

import torch
import torch.nn.functional as F

from compile_lessons import Explorer, capture, show


# region function
def mlp(x, up, down):
    hidden = F.gelu(x @ up)
    return hidden @ down


# endregion
torch.set_float32_matmul_precision("high")
x = torch.randn(64, 256)
up = torch.randn(256, 1024)
down = torch.randn(1024, 256)
captures = {
    "CPU": capture(mlp, machine_code=False)(x, up, down),
    "H200": capture(mlp, target="h200")(x, up, down),
}
show(Explorer(captures))
