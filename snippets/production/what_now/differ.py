# /// lesson
# needs = ["compiler"]
# varies.output = ['\d\.\de-\d\d']
# ///
"""How far gradients of eager mode and of compiled code are from a float64 copy's."""

import copy

import torch
from torch import nn

from compile_lessons import Table, show


# region models
class Windows(nn.Linear):
    def forward(self, x):
        return super().forward(x).unfold(0, 2, 1)  # overlapping views


class Gate(nn.Linear):
    def forward(self, x):
        h = super().forward(x)
        return torch.sin(h * 1.1) + 0.3 * torch.tanh(h * h)


# endregion
def gradient(module, x, **options):
    module = copy.deepcopy(module)
    y = torch.compile(module, **options)(x)
    weights = torch.arange(y.numel(), dtype=y.dtype).view_as(y)
    (y * weights).mean().backward()
    return module.weight.grad.double()


torch.manual_seed(0)
casts = {"emulate_precision_casts": True}
rows = []
modules = [Gate(64, 64).bfloat16(), Windows(4, 4)]
for module in modules:
    dtype = module.weight.dtype
    x = torch.randn(64, module.in_features).to(dtype)
    exact = gradient(copy.deepcopy(module).double(), x.double(), disable=True)
    eager = gradient(module, x, disable=True)
    results = {
        "eager mode": eager,
        "compiled": gradient(module, x),
        "emulate_precision_casts": gradient(module, x, options=casts),
    }
    for run, result in results.items():
        error = f"{(result - exact).norm() / exact.norm():.1e}"
        rows.append([type(module).__name__, run, error, torch.equal(result, eager)])
show(Table(["model", "run", "error against float64", "equal to eager mode"], rows))

# region checks
errors = [float(row[2]) for row in rows]
assert errors[1] < 1.2 * errors[0]
assert errors[4] > 1000 * errors[3]
assert [row[3] for row in rows] == [True, False, True, True, False, False]
# endregion
