# /// lesson
# needs = ["compiler"]
# ///
"""Compare one compiled call with eager mode: the gradient doesn't match."""

import torch

from compile_lessons import Table, capture, show


# region call
def windows(x):
    return (x * 2).unfold(0, 3, 1)


x = torch.linspace(0, 1, 12, requires_grad=True)
comparison = capture(windows, compare=True)(x).comparison
# endregion
rows = [[value.kind, value.equal] for value in comparison.values]
show(Table(["value", "matches eager mode"], rows))
print(comparison)

# region checks
assert comparison.status == "different"
assert [row[1] for row in rows] == [True, False]
# endregion
