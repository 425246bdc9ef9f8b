# /// lesson
# needs = ["compiler"]
# ///
"""A running total that stays 0: an in-place update of a number that torch loses."""

import torch

from compile_lessons import Table, capture, show


def step(x, total):
    total.add_(x.sum())
    return x * 2


compiled, x, rows = torch.compile(step), torch.ones(4), []
for dtype, shape in ((torch.float32, ()), (torch.float64, ()), (torch.float64, (1,))):
    total = torch.zeros(shape, dtype=dtype)
    for _ in range(3):
        compiled(x, total)
    rows.append([str(dtype).removeprefix("torch."), str(shape), total.item()])
show(Table(["dtype of the total", "shape", "total after 3 steps"], rows))

comparison = capture(step, compare=True)(x, torch.zeros((), dtype=torch.float64)).comparison
print(comparison.reason)
# region checks
assert [row[2] for row in rows] == [12.0, 0.0, 12.0] and comparison.status == "different"
# endregion
