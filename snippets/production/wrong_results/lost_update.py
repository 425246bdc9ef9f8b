# /// lesson
# needs = ["compiler"]
# ///
"""A running total that stays 0: an in-place update of a number that torch loses."""

import torch

from compile_lessons import Table, capture, show


def step(x, total):
    total.add_(x.sum())
    return x * 2


x = torch.ones(4)
compiled = torch.compile(step)
kinds = [(torch.float32, ()), (torch.float64, ()), (torch.float64, (1,))]
rows = []
for dtype, shape in kinds:
    total = torch.zeros(shape, dtype=dtype)
    for _ in range(3):
        compiled(x, total)
    rows.append([str(dtype), str(shape), total.item()])
show(Table(["dtype of the total", "shape", "total after 3 steps"], rows))

total = torch.zeros((), dtype=torch.float64)
comparison = capture(step, compare=True)(x, total).comparison
print(comparison.reason)

# region checks
assert [row[2] for row in rows] == [12.0, 0.0, 12.0]
assert comparison.status == "different"
# endregion
