# with `torch.compiler.disable`

import numpy
import torch


@torch.compiler.disable
def calibrate(x: torch.Tensor, knots: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Read the curve that goes through the points (`knots`, `values`) at each element of `x`."""
    curve = numpy.interp(x.detach().numpy(), knots.numpy(), values.numpy())
    return torch.from_numpy(curve).to(x.dtype)


def model(readings, weight, knots, values):
    return torch.tanh(calibrate(readings @ weight, knots, values)) * 2
