# /// lesson
# needs = ["triton"]
# ///
"""Dropout with its backward pass, for a CPU and for an H200."""

import torch
import torch.nn.functional as F

from compile_lessons import Explorer, capture, show


# region function
def drop(x):
    return F.dropout(x, p=0.1)


# endregion
x = torch.randn(64, 1024, requires_grad=True)
captures = {
    "CPU": capture(drop, machine_code=False)(x),
    "H200": capture(drop, target="h200")(x),
}
show(Explorer(captures))
