# /// lesson
# needs = ["compiler"]
# ///
"""Functions in float32: how far eager mode and compiled code are from the exact value, in units in the last place."""

import torch

from compile_lessons import Table, show

functions = {
    "x * x + x": lambda x: x * x + x,
    "x / 3": lambda x: x / 3,
    "sigmoid": torch.sigmoid,
    "exp": torch.exp,
    "sin": torch.sin,
    "tanh": torch.tanh,
    "erf": torch.erf,
    "softmax": lambda x: x.view(64, -1).softmax(-1),
}
x = torch.linspace(0.01, 8, 1 << 12)


@torch.compile
def compiled(x):
    return [function(x) for function in functions.values()]


def largest_error(y, exact):
    unit = torch.nextafter(exact.float(), torch.tensor(torch.inf)) - exact.float()
    return ((y.double() - exact) / unit).abs().max().item()


rows = []
for (name, function), y in zip(functions.items(), compiled(x), strict=True):
    eager, exact = function(x), function(x.double())
    errors = [f"{largest_error(result, exact):.1f}" for result in (eager, y)]
    rows.append([name, *errors, torch.equal(eager, y)])
show(Table(["function", "eager: largest error", "compiled: largest error", "bitwise equal"], rows))
# region checks
assert [row[3] for row in rows[:2]] == [True, True] and not rows[6][3]
# endregion
