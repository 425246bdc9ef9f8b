# /// lesson
# needs = ["triton"]
# ///
"""Layer norm, for a CPU and for an H200."""

import torch
import torch.nn.functional as F

from compile_lessons import Explorer, capture, show


# region function
def layer_norm(x, weight, bias):
    return F.layer_norm(x, x.shape[-1:], weight, bias)


# endregion
x = torch.randn(64, 1024, requires_grad=True)
weight = torch.ones(1024, requires_grad=True)
bias = torch.zeros(1024, requires_grad=True)
captures = {
    "CPU": capture(layer_norm, machine_code=False)(x, weight, bias),
    "H200": capture(layer_norm, target="h200")(x, weight, bias),
}
show(Explorer(captures))
