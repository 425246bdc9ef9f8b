# /// lesson
# needs = ["triton"]
# ///
"""Rotary embedding, for a CPU and for an H200."""

import torch

from compile_lessons import Explorer, capture, show


# region function
def rotary(x, cos, sin):
    first, second = x.chunk(2, dim=-1)
    rotated = torch.cat([-second, first], dim=-1)
    return x * cos + rotated * sin


# endregion
x = torch.randn(2, 4, 128, 64)
angles = torch.randn(128, 64)
cos = angles.cos()
sin = angles.sin()
captures = {
    "CPU": capture(rotary, machine_code=False)(x, cos, sin),
    "H200": capture(rotary, target="h200")(x, cos, sin),
}
show(Explorer(captures))
