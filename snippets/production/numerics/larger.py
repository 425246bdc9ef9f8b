# /// lesson
# needs = ["compiler"]
# ///
"""Two functions whose compiled results differ from eager mode's by far more than rounding."""

import torch

from compile_lessons import Table, show

torch.manual_seed(0)
times = torch.arange(1000) / 10
step = torch.tensor(0.1)
samples = torch.randn(8192) + 1e5


def results(times, step, samples):
    return times // step, torch.floor(times / step), samples.std(), (samples - samples.mean()).std()


names = ["times // 0.1", "floor(times / 0.1)", "samples.std()", "(samples - samples.mean()).std()"]
eager, compiled = (function(times, step, samples) for function in (results, torch.compile(results)))
exact = results(times.double(), step.double(), samples.double())
rows = []
for name, *values in zip(names, eager, compiled, exact, strict=True):
    unequal = (values[0] != values[1]).sum().item() if values[0].ndim else ""
    rows.append([name, *(f"{value.flatten()[5 % value.numel()].item():.4f}" for value in values), unequal])
show(Table(["function", "eager mode", "compiled", "float64", "unequal elements"], rows))
# region checks
assert torch.equal(eager[0].double(), exact[0]) and torch.equal(eager[1], compiled[1])
assert (compiled[0] - eager[0]).unique().tolist() == [0, 1] and rows[0][1:4] == ["4.0000", "5.0000", "4.0000"]
errors = [abs(value.item() / exact[2].item() - 1) for value in (compiled[2], eager[2], eager[3], compiled[3])]
assert errors[0] > 1e-5 > max(errors[1:])
# endregion
