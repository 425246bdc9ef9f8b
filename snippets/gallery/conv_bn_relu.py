# /// lesson
# needs = ["triton"]
# ///
"""Convolution, batch norm and ReLU, for a CPU and for an H200."""

import torch
from torch import nn

from compile_lessons import Explorer, capture, show

# region function
block = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1, bias=False),
    nn.BatchNorm2d(16),
    nn.ReLU(),
).eval()


def infer(x):
    with torch.no_grad():
        return block(x)


# endregion
x = torch.randn(4, 3, 32, 32)
captures = {
    "CPU": capture(infer, machine_code=False)(x),
    "H200": capture(infer, target="h200")(x),
}
show(Explorer(captures))
