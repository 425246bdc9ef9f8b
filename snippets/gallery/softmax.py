# /// lesson
# needs = ["triton"]
# ///
"""Softmax, for a CPU and for an H200."""

import torch

from compile_lessons import Explorer, capture, show


# region function
def softmax(x):
    return torch.softmax(x, dim=-1)


# endregion
x = torch.randn(64, 1024)
captures = {
    "CPU": capture(softmax, machine_code=False)(x),
    "H200": capture(softmax, target="h200")(x),
}
show(Explorer(captures))
