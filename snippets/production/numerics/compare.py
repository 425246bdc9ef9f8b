# /// lesson
# needs = ["compiler"]
# ///
"""Compare the compiled error with eager mode's error, both against float64."""

import copy

import torch
from torch import nn

from compile_lessons import Table, show


class Block(nn.Module):
    def __init__(self, slope=1.702):
        super().__init__()
        self.slope = slope
        self.up = nn.Linear(64, 256)
        self.down = nn.Linear(256, 64)

    def forward(self, x):
        h = self.up(nn.functional.rms_norm(x, (64,)))
        return x + self.down(h * torch.sigmoid(self.slope * h))


# region copy
def error_ratio(model, compiled, x):
    """Return the compiled result's distance from float64, divided by eager mode's."""
    eager = copy.deepcopy(model)  # a copy undoes model.compile()
    exact = copy.deepcopy(model).double()
    expected = exact(x.double() if x.is_floating_point() else x)
    compiled_error = (compiled(x) - expected).norm()
    eager_error = (eager(x) - expected).norm()
    return (compiled_error / eager_error).item()


# endregion
rows = []
ratios = []
for dtype in (torch.float32, torch.bfloat16):
    torch.manual_seed(0)
    model = Block().to(dtype)
    wrong = copy.deepcopy(model)
    wrong.slope = 1.6  # stands for a bug of the compiler
    x = torch.randn(32, 64, dtype=dtype)
    for name, function in {
        "compiled": torch.compile(model),
        "with a bug": wrong,
    }.items():
        with torch.no_grad():
            differs = (function(x) - model(x)).abs().max()
            ratios.append(error_ratio(model, function, x))
        rows.append([str(dtype), name, f"{differs:.0e}", f"{ratios[-1]:.1f}"])
show(Table(["dtype", "function", "largest difference", "error ratio"], rows))

# region checks
assert max(ratios[::2]) < 1.5
assert min(ratios[1::2]) > 2
# endregion
