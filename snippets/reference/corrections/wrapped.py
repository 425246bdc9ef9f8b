"""The official example with floats and with tensors, at changing and at fixed sizes."""

import torch
from _count import compiles

from compile_lessons import Table, show


def add(x, c):
    return x + c


values = [0.5, 1.5, 2.5, 3.5, 4.5]
rows = []
for name, sizes in (
    ("0 to 4, as on the page", range(5)),
    ("3", [3] * 5),
    ("2 to 6", range(2, 7)),
):
    inputs = [torch.ones(size) for size in sizes]
    floats = compiles(add, zip(inputs, values, strict=True))
    tensors = compiles(add, zip(inputs, map(torch.tensor, values), strict=True))
    rows.append([name, floats, tensors])
show(Table(["sizes of x", "compiles with floats", "with tensors"], rows))
# region checks
assert [row[1:] for row in rows] == [[3, 3], [2, 1], [2, 2]]
# endregion
