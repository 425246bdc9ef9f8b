"""A linear layer that multiplies in float8, compared with the layer that it replaces."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import ScalingType

from compile_lessons import Table, show


# region copy
def to_float8(x):
    """Scale each row so that its largest number becomes 448, the largest that float8_e4m3fn can hold."""
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
        return F.scaled_mm(codes, self.codes.t(), scale, rows, self.scale.t(), rows, use_fast_accum=True)


# endregion
if __name__ == "__main__":
    linear = nn.Linear(1024, 2048, bias=False, dtype=torch.bfloat16)
    x = torch.randn(16, 1024, dtype=torch.bfloat16)
    exact = x.double() @ linear.weight.double().t()
    rows, errors = [], []
    for layer in (linear, Float8Linear(linear)):
        errors.append(((torch.compile(layer)(x) - exact).norm() / exact.norm()).item())
        rows.append([type(layer).__name__, f"{errors[-1]:.1%}"])
    show(Table(["layer", "distance from float64"], rows))
    # region checks
    assert errors[0] < 0.005 and 0.02 < errors[1] < 0.06
    # endregion
