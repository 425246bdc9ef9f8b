"""The official example with floats and with tensors, at changing sizes and at a fixed size."""

import torch
from _count import compiles

from compile_lessons import Table, show


def add(x, c):
    return x + c


rows = []
for sizes, name in [(range(5), "0 to 4, as on the page"), ([3] * 5, "3"), (range(2, 7), "2 to 6")]:
    floats = compiles(add, [(torch.ones(n), 0.5 + i) for i, n in enumerate(sizes)])
    tensors = compiles(add, [(torch.ones(n), torch.tensor(0.5 + i)) for i, n in enumerate(sizes)])
    rows.append([name, floats, tensors])
show(Table(["sizes of x", "compiles with floats", "with tensors"], rows))
# region checks
assert [row[1:] for row in rows] == [[3, 3], [2, 1], [2, 2]]
# endregion
