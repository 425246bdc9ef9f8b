"""A linear layer that multiplies in float8, compared with the one it replaces."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import ScalingType

from compile_lessons import Table, show


# region copy
def to_float8(x):
    """Scale each row so that its largest number becomes 448, the dtype's largest."""
    scale = x.abs().amax(1, keepdim=True).float().clamp(min=1e-12) / 448
    return (x / scale).to(torch.float8_e4m3fn), scale


class Float8Linear(nn.Module):
    def __init__(self, linear):
        super().__init__()
        codes, scale = to_float8(linear.weight.detach())
        self.register_buffer("codes", codes)
        self.register_buffer("scale", scale)

    def forward(self, x):
        codes, scale = to_float8(x)
        rows = ScalingType.RowWise
        weight = self.codes.t()
        weight_scale = self.scale.t()
        return F.scaled_mm(
            codes, weight, scale, rows, weight_scale, rows, use_fast_accum=True
        )


# endregion
if __name__ == "__main__":
    linear = nn.Linear(1024, 2048, bias=False, dtype=torch.bfloat16)
    x = torch.randn(16, 1024, dtype=torch.bfloat16)
    exact = x.double() @ linear.weight.double().t()
    errors = {}
    for layer in (linear, Float8Linear(linear)):
        difference = torch.compile(layer)(x) - exact
        errors[type(layer).__name__] = (difference.norm() / exact.norm()).item()
    rows = [[name, f"{error:.1%}"] for name, error in errors.items()]
    show(Table(["layer", "distance from float64"], rows))
    # region checks
    assert errors["Linear"] < 0.005
    assert 0.02 < errors["Float8Linear"] < 0.06
    # endregion
