# /// lesson
# needs = ["compiler"]
# varies.output = ['\d\.\de-\d\d']
# ///
"""How far the gradients of eager mode and of compiled code are from those of a float64 copy."""

import copy

import torch
from torch import nn

from compile_lessons import Table, show


class Windows(nn.Linear):
    def forward(self, x):
        return super().forward(x).unfold(0, 2, 1)  # overlapping views


class Gate(nn.Linear):
    def forward(self, x):
        h = super().forward(x)
        return torch.sin(h * 1.1) + 0.3 * torch.tanh(h * h)


def gradient(module, x, compiled=lambda module: module):
    module = copy.deepcopy(module)
    y = compiled(module)(x)
    (y * torch.arange(y.numel(), dtype=y.dtype).view_as(y)).mean().backward()
    return module.weight.grad.double()


torch.manual_seed(0)
rows, casts = [], {"emulate_precision_casts": True}
for module, dtype in [(Gate(64, 64), torch.bfloat16), (Windows(4, 4), torch.float32)]:
    module, x = module.to(dtype), torch.randn(64, module.in_features).to(dtype)
    exact = gradient(module.double(), x.double())
    eager = gradient(module.to(dtype), x)
    results = {"eager mode": eager, "compiled": gradient(module, x, torch.compile)}
    results["emulate_precision_casts"] = gradient(module, x, lambda m: torch.compile(m, options=casts))
    for run, result in results.items():
        error = ((result - exact).norm() / exact.norm()).item()
        rows.append([type(module).__name__, run, f"{error:.1e}", torch.equal(result, eager)])
show(Table(["model", "run", "error against float64", "equal to eager mode"], rows))
# region checks
errors = [float(row[2]) for row in rows]
assert errors[1] < 1.2 * errors[0] and errors[4] > 1000 * errors[3]
assert [row[3] for row in rows] == [True, False, True, True, False, False]
# endregion
