# /// lesson
# needs = ["compiler"]
# ///
"""A sum of float32 numbers: each order of the additions has its own error."""

import torch

from compile_lessons import Table, show

torch.manual_seed(0)
x = torch.exp(2 * torch.randn(1 << 20))
shuffled = x[torch.randperm(x.numel())]
# region sums
compiled_sum = torch.compile(torch.sum)
sums = {
    "eager": x.sum(),
    "eager, shuffled": shuffled.sum(),
    "compiled": compiled_sum(x),
    "compiled, shuffled": compiled_sum(shuffled),
    "Python, one by one in float32": x.numpy().cumsum(dtype="float32")[-1],
    "float64": x.double().sum(),
}
# endregion
exact = sums["float64"].item()
rows = []
for name, result in sums.items():
    error = abs(result.item() - exact) / exact
    rows.append([name, f"{result.item():.4f}", f"{error:.0e}"])
show(Table(["sum of 2^20 numbers", "result", "relative error"], rows))

# region checks
errors = [float(row[2]) for row in rows]
assert max(errors[:4]) < 1e-6
assert errors[4] > 1e-6
# endregion
