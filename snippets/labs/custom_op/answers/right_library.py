"""The same with a `Library`, and the slope as an operator of its own."""

import numpy
import torch

library = torch.library.Library("labs", "DEF")
library.define("calibrate(Tensor x, Tensor knots, Tensor values) -> Tensor")
library.define("slope(Tensor x, Tensor knots, Tensor values) -> Tensor")


@torch.library.impl(library, "calibrate", "CPU")
def on_cpu(x, knots, values):
    curve = numpy.interp(x.detach().numpy(), knots.numpy(), values.numpy())
    return torch.from_numpy(curve).to(x.dtype)


@torch.library.impl(library, "slope", "CPU")
def slope_on_cpu(x, knots, values):
    slopes = numpy.concatenate(([0], numpy.diff(values.numpy()) / numpy.diff(knots.numpy()), [0]))
    return torch.from_numpy(slopes[numpy.searchsorted(knots.numpy(), x.numpy())]).to(x.dtype)


for name in ("calibrate", "slope"):
    torch.library.register_fake(f"labs::{name}", lambda x, knots, values: x.new_empty(x.shape), lib=library)


def setup_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def backward(ctx, grad):
    return grad * torch.ops.labs.slope(*ctx.saved_tensors), None, None


torch.library.register_autograd("labs::calibrate", backward, setup_context=setup_context, lib=library)
calibrate = torch.ops.labs.calibrate


def model(readings, weight, knots, values):
    return torch.tanh(calibrate(readings @ weight, knots, values)) * 2
