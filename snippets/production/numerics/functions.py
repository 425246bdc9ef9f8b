# /// lesson
# needs = ["compiler"]
# ///
"""Functions in float32: the errors of eager mode and of compiled code."""

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


def largest_error(y, exact):
    """Return the largest error, in units in the last place of float32."""
    exact32 = exact.float().abs()
    unit = torch.nextafter(exact32, torch.tensor(torch.inf)) - exact32
    return ((y.double() - exact) / unit).abs().max().item()


@torch.compile
def compute_all(x):
    return [function(x) for function in functions.values()]


x = torch.logspace(-4, -0.1, 1 << 12)
errors = {}
rows = []
for (name, function), compiled in zip(functions.items(), compute_all(x), strict=True):
    eager = function(x)
    exact = function(x.double())
    errors[name] = largest_error(compiled, exact)
    cells = [f"{largest_error(eager, exact):,.1f}", f"{errors[name]:,.1f}"]
    rows.append([name, *cells, torch.equal(eager, compiled)])
columns = ["eager: largest error", "compiled: largest error", "bitwise equal"]
show(Table(["function", *columns], rows))

# region checks
assert [row[3] for row in rows[:2]] == [True, True]
inexact = {name for name, error in errors.items() if error > 100}
assert inexact == {"erf", "expm1", "elu(-x)", "atanh"}
# endregion
