# /// lesson
# needs = ["triton"]
# ///
"""Attention, written by hand, for a CPU and for an H200."""

import torch

from compile_lessons import Explorer, capture, show


# region function
def attention(q, k, v):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# endregion
torch.set_float32_matmul_precision("high")
q = torch.randn(2, 4, 128, 64)
k = torch.randn(2, 4, 128, 64)
v = torch.randn(2, 4, 128, 64)
captures = {
    "CPU": capture(attention, machine_code=False)(q, k, v),
    "H200": capture(attention, target="h200")(q, k, v),
}
show(Explorer(captures))
