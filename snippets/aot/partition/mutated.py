# /// lesson
# raises = {type = "RuntimeError", message = "modified by an inplace operation"}
# ///
"""An input changed in place between forward and backward: fine in eager, an error compiled."""

import torch


def twice_sigmoid(x):
    return torch.sigmoid(x) * 2


for function in (twice_sigmoid, torch.compile(twice_sigmoid, backend="aot_eager_decomp_partition")):
    x = torch.ones(4, requires_grad=True)
    y = function(x)
    with torch.no_grad():
        x -= 0.5  # as an optimizer does
    y.sum().backward()
    print("backward done:", x.grad)
