# /// lesson
# needs = ["compiler"]
# ///
"""A sum of float32 numbers depends on the order of the additions, so each way of adding has its own error."""

import torch

from compile_lessons import Table, show

torch.manual_seed(0)
x = torch.exp(2 * torch.randn(1 << 20))
exact = x.double().sum().item()
shuffled, compiled = x[torch.randperm(x.numel())], torch.compile(torch.sum)
sums = {
    "eager": x.sum(),
    "eager, shuffled": shuffled.sum(),
    "compiled": compiled(x),
    "compiled, shuffled": compiled(shuffled),
    "Python, one by one in float32": x.numpy().cumsum(dtype="float32")[-1],
}
rows = [[name, f"{value.item():.4f}", f"{abs(value.item() - exact) / exact:.0e}"] for name, value in sums.items()]
show(Table(["sum of 2^20 numbers", "result", "relative error"], [*rows, ["float64", f"{exact:.4f}", "0"]]))
# region checks
errors = [abs(value.item() - exact) / exact for value in sums.values()]
assert max(errors[:4]) < 1e-6 < errors[4]
# endregion
