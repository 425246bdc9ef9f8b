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


@torch.library.custom_op("labs::calibrate", mutates_args=())
def calibrate(
    x: torch.Tensor, knots: torch.Tensor, values: torch.Tensor
) -> torch.Tensor:
    """Read the curve through the points (`knots`, `values`) at each element of `x`."""
    curve = numpy.interp(x.detach().numpy(), knots.numpy(), values.numpy())
    return torch.from_numpy(curve).to(x.dtype)


@calibrate.register_fake
def _(x, knots, values):
    return torch.empty_like(x)


def setup_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def backward(ctx, grad):
    x, knots, values = ctx.saved_tensors
    slopes = torch.nn.functional.pad(values.diff() / knots.diff(), (1, 1))
    return grad * slopes[torch.bucketize(x, knots)].to(grad.dtype), None, None


calibrate.register_autograd(backward, setup_context=setup_context)


def model(readings, weight, knots, values):
    return torch.tanh(calibrate(readings @ weight, knots, values)) * 2


if __name__ == "__main__":
    check("custom_op", __file__)
