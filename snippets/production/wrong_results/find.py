# /// lesson
# needs = ["compiler"]
# ///
"""Compare one compiled call with eager mode: the output matches, the gradient doesn't."""

import torch

from compile_lessons import Table, capture, show


def windows(x):
    return (x * 2).unfold(0, 3, 1)


x = torch.linspace(0, 1, 12, requires_grad=True)
comparison = capture(windows, compare=True)(x).comparison
show(Table(["value", "matches eager mode"], [[value.kind, value.equal] for value in comparison.values]))
print(comparison)

# region checks
assert comparison.status == "different" and [value.equal for value in comparison.values] == [True, False]
# endregion
