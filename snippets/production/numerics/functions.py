# /// lesson
# needs = ["compiler"]
# ///
"""Functions in float32: how far eager mode and compiled code are from the exact value, in units in the last place."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show

functions = {
    "x * x + x": lambda x: x * x + x,
    "x / 3": lambda x: x / 3,
    "sigmoid": torch.sigmoid,
    "exp": torch.exp,
    "sin": torch.sin,
    "tanh": torch.tanh,
    "erf": torch.erf,
    "expm1": torch.expm1,
    "elu(-x)": lambda x: F.elu(-x),
    "atanh": torch.atanh,
    "softmax": lambda x: x.view(64, -1).softmax(-1),
}
x = torch.logspace(-4, -0.1, 1 << 12)


@torch.compile
def compiled(x):
    return [function(x) for function in functions.values()]


def largest_error(y, exact):
    exact32 = exact.float().abs()
    unit = torch.nextafter(exact32, torch.tensor(torch.inf)) - exact32
    return ((y.double() - exact) / unit).abs().max().item()


rows = []
for (name, function), y in zip(functions.items(), compiled(x), strict=True):
    eager, exact = function(x), function(x.double())
    errors = [f"{largest_error(result, exact):,.1f}" for result in (eager, y)]
    rows.append([name, *errors, torch.equal(eager, y)])
show(Table(["function", "eager: largest error", "compiled: largest error", "bitwise equal"], rows))
# region checks
assert [row[3] for row in rows[:2]] == [True, True]
assert {row[0] for row in rows if float(row[2].replace(",", "")) > 100} == {"erf", "expm1", "elu(-x)", "atanh"}
# endregion
