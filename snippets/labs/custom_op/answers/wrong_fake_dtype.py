# The compiler plans memory with this answer

import numpy
import torch


@torch.library.custom_op("labs::calibrate", mutates_args=())
def calibrate(x: torch.Tensor, knots: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Read the curve that goes through the points (`knots`, `values`) at each element of `x`."""
    curve = numpy.interp(x.detach().numpy(), knots.numpy(), values.numpy())
    return torch.from_numpy(curve).to(x.dtype)


@calibrate.register_fake
def _(x, knots, values):
    return x.new_empty(x.shape, dtype=torch.float64)


def setup_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def backward(ctx, grad):
    x, knots, values = ctx.saved_tensors
    slopes = torch.nn.functional.pad(values.diff() / knots.diff(), (1, 1))
    return grad * slopes[torch.bucketize(x, knots)].to(grad.dtype), None, None


calibrate.register_autograd(backward, setup_context=setup_context)


def model(readings, weight, knots, values):
    return torch.tanh(calibrate(readings @ weight, knots, values)) * 2
