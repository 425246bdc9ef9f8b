"""Six values of a number: how often the function compiles depends on the use."""

import torch
import torch.nn.functional as F
from _count import compiles

from compile_lessons import Table, show


def loop(x, n):
    for _ in range(n):
        x = x + 1
    return x


floats = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
ints = (2, 3, 4, 5, 6, 7)
x = torch.ones(8)
uses = {
    "x * c, a float": (lambda x, c: x * c, floats),
    "x[:n]": (lambda x, n: x[:n], ints),
    "if n > 3": (lambda x, n: x + 1 if n > 3 else x - 1, ints),
    "for _ in range(n)": (loop, ints),
    "F.dropout(x, p)": (F.dropout, floats),
}
rows = []
for name, (function, values) in uses.items():
    rows.append([name, compiles(function, [(x, value) for value in values])])
show(Table(["use", "compiles"], rows))
multiplied, sliced, compared, looped, dropped = (row[1] for row in rows)
# region checks
assert (multiplied, sliced, compared, looped, dropped) == (2, 2, 3, 6, 6)
# endregion
