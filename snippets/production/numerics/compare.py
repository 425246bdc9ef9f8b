# /// lesson
# needs = ["compiler"]
# ///
"""Compare the compiled error with eager mode's error, both against float64."""

import copy

import torch

from compile_lessons import Table, show


class Block(torch.nn.Module):
    def __init__(self, slope=1.702):
        super().__init__()
        self.slope, self.up, self.down = slope, torch.nn.Linear(64, 256), torch.nn.Linear(256, 64)

    def forward(self, x):
        h = self.up(torch.nn.functional.rms_norm(x, (64,)))
        return x + self.down(h * torch.sigmoid(self.slope * h))


# region copy
def error_ratio(model, compiled, x):
    """Return how many times as far from float64 the compiled result is as eager mode's."""
    eager, exact = copy.deepcopy(model), copy.deepcopy(model).double()  # copies undo model.compile()
    expected = exact(x.double() if x.is_floating_point() else x)
    return ((compiled(x) - expected).norm() / (eager(x) - expected).norm()).item()


# endregion
rows = []
for dtype in (torch.float32, torch.bfloat16):
    torch.manual_seed(0)
    model, x = Block().to(dtype), torch.randn(32, 64, dtype=dtype)
    wrong = copy.deepcopy(model)
    wrong.slope = 1.6  # stands for a bug of the compiler
    with torch.no_grad():
        for name, function in (("compiled", torch.compile(model)), ("with a bug", wrong)):
            differs = (function(x) - model(x)).abs().max().item()
            rows.append([str(dtype), name, differs, error_ratio(model, function, x)])
cells = [[dtype, name, f"{differs:.0e}", f"{ratio:.1f}"] for dtype, name, differs, ratio in rows]
show(Table(["dtype", "function", "largest difference", "error ratio"], cells))
# region checks
assert all(row[3] < 1.5 for row in rows[::2]) and all(row[3] > 2 for row in rows[1::2])
# endregion
