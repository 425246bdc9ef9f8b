# doesn't call `numpy.interp` any more

import torch


def calibrate(x: torch.Tensor, knots: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Read the curve that goes through the points (`knots`, `values`) at each element of `x`."""
    segment = torch.bucketize(x.detach(), knots).clamp(1, len(knots) - 1)
    slope = (values[segment] - values[segment - 1]) / (knots[segment] - knots[segment - 1])
    inside = torch.minimum(torch.maximum(x, knots[0]), knots[-1])
    return (values[segment - 1] + slope * (inside - knots[segment - 1])).to(x.dtype)


def model(readings, weight, knots, values):
    return torch.tanh(calibrate(readings @ weight, knots, values)) * 2
