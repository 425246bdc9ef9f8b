# /// lesson
# needs = ["compiler"]
# ///
"""The same input gives different bits after a call with another length."""

import torch

from compile_lessons import Table, show


def standardize(signals):
    return torch.nn.functional.layer_norm(signals, signals.shape[-1:])


torch.manual_seed(0)
short = torch.randn(4, 1000)
long = torch.randn(4, 1200)
rows = []
for dynamic in (None, False, True):
    torch.compiler.reset()
    compiled = torch.compile(standardize, dynamic=dynamic)
    first = compiled(short)
    again = torch.equal(first, compiled(short))
    compiled(long)
    later = compiled(short)
    difference = (first - later).abs().max()
    equal = torch.equal(first, later)
    rows.append([f"dynamic={dynamic}", again, equal, f"{difference:.0e}"])
columns = ["second call equal", "equal after the call with `long`", "difference"]
show(Table(["torch.compile", *columns], rows))

# region checks
assert [row[1:3] for row in rows] == [[True, False], [True, True], [True, True]]
# endregion
