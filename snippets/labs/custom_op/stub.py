# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Turn a function that Dynamo can't trace into an operator.

`calibrate` reads a sensor's curve with `numpy.interp`, for which Dynamo has no
rule: a graph break splits the model into two graphs, and `weight` gets no
gradient. Keep the call of `numpy.interp`, and

1. register `calibrate` as a custom operator, so that `model` is one graph;
2. tell the compiler the shape and dtype of the operator's result;
3. give the operator a gradient for `x`: the slope of the curve, which is 0
   outside the curve.
"""

import numpy
import torch

from compile_lessons.labs import check


def calibrate(
    x: torch.Tensor, knots: torch.Tensor, values: torch.Tensor
) -> torch.Tensor:
    """Read the curve through the points (`knots`, `values`) at each element of `x`."""
    curve = numpy.interp(x.detach().numpy(), knots.numpy(), values.numpy())
    return torch.from_numpy(curve).to(x.dtype)


def model(readings, weight, knots, values):
    return torch.tanh(calibrate(readings @ weight, knots, values)) * 2


if __name__ == "__main__":
    check("custom_op", __file__)
