"""dynamic=False: three ways to get a dynamic graph anyway."""

import torch
from _count import compiles

from compile_lessons import Table, show


def double(x):
    return x * 2


def double_nonzero(x):
    return x.nonzero() * 2


def marked(size):
    x = torch.ones(size)
    torch._dynamo.mark_dynamic(x, 0)
    return x


sizes = [(torch.ones(n),) for n in (5, 6, 7)]
marked_sizes = [(marked(n),) for n in (5, 6, 7)]
ones = [(torch.tensor([1.0] * n + [0.0] * (4 - n)),) for n in (2, 3, 4)]
rows = [
    ["nothing else", compiles(double, sizes, dynamic=False)],
    ["mark_dynamic", compiles(double, marked_sizes, dynamic=False)],
]
with torch.compiler.config.patch(dynamic_sources="L['x']"):
    rows.append(["dynamic_sources", compiles(double, sizes, dynamic=False)])
count = compiles(double_nonzero, ones, dynamic=False, fullgraph=True)
rows.append(["nonzero, fullgraph=True", count])
show(Table(["dynamic=False and", "compiles for three sizes"], rows))
# region checks
assert [row[1] for row in rows] == [3, 1, 1, 1]
# endregion
