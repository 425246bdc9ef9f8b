# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# memory = 8192
# ///
"""The kernels for an H200 compute what eager mode does, in Triton's interpreter."""

import torch

from compile_lessons.gpu import find_device
from compile_lessons.gpu.interpret import interpreted


def softmax(x):
    return torch.softmax(x, -1)


codes = []
on_cpu = interpreted(softmax, find_device("h200"), codes.append)

x = torch.linspace(-4, 4, 8 * 512).view(8, 512).requires_grad_()
y = on_cpu(x)
y.square().sum().backward()

expected = torch.softmax(x.detach().requires_grad_(), -1)
difference = (y - expected).abs().max().item()
kernels = sum(code.count("async_compile.triton(") for code in codes)
print(f"{kernels} kernels, forward and backward")
print(f"the outputs differ from eager mode's by at most {difference:.1e}")
# region checks
assert kernels == 2
assert difference < 1e-6
# endregion
