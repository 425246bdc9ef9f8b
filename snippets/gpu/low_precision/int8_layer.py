"""A linear layer with int8 weights, compared with the layer that it replaces."""

import torch
from torch import nn

from compile_lessons import Table, show


# region copy
class Int8Linear(nn.Module):
    """Store the weight as int8, one row for each input, and a scale for each output."""

    def __init__(self, linear):
        super().__init__()
        weight = linear.weight.detach().float().t()
        scale = weight.abs().amax(0).clamp(min=1e-12) / 127
        codes = (weight / scale).round().to(torch.int8)
        self.register_buffer("codes", codes.contiguous())
        self.register_buffer("scale", scale.to(linear.weight.dtype))

    def forward(self, x):
        return x @ self.codes.to(x.dtype) * self.scale


# endregion
if __name__ == "__main__":
    linear = nn.Linear(1024, 2048, bias=False, dtype=torch.bfloat16)
    x = torch.randn(16, 1024, dtype=torch.bfloat16)
    exact = x.double() @ linear.weight.double().t()
    rows = []
    errors = []
    for layer in (linear, Int8Linear(linear)):
        stored = sum(tensor.nbytes for tensor in layer.state_dict().values())
        difference = torch.compile(layer)(x) - exact
        error = (difference.norm() / exact.norm()).item()
        errors.append(error)
        rows.append([type(layer).__name__, f"{stored:,}", f"{error:.1%}"])
    show(Table(["layer", "bytes stored", "distance from float64"], rows))
    # region checks
    assert errors[0] < 0.005
    assert errors[1] < 0.02
    # endregion
