# /// lesson
# needs = ["triton"]
# ///
"""A step of Adam, for a CPU and for an H200."""

import torch

from compile_lessons import Explorer, capture, show


# region function
def adam_step(weight, grad, mean, square):
    mean.lerp_(grad, 0.1)
    square.mul_(0.999).addcmul_(grad, grad, value=0.001)
    weight.addcdiv_(mean, square.sqrt() + 1e-8, value=-0.001)


# endregion
weight = torch.randn(256, 256)
grad = torch.randn(256, 256)
mean = torch.zeros(256, 256)
square = torch.zeros(256, 256)
captures = {
    "CPU": capture(adam_step, machine_code=False)(weight, grad, mean, square),
    "H200": capture(adam_step, target="h200")(weight, grad, mean, square),
}
show(Explorer(captures))
