"""dynamic=False: three ways to get a dynamic graph anyway."""

import torch
from _count import compiles

from compile_lessons import Table, show


def double(x):
    return x * 2


def marked(x):
    torch._dynamo.mark_dynamic(x, 0)
    return x


sizes = [torch.ones(n) for n in (5, 6, 7)]
rows = [
    ["nothing else", compiles(double, [(x,) for x in sizes], dynamic=False)],
    ["mark_dynamic", compiles(double, [(marked(x),) for x in sizes], dynamic=False)],
]
with torch.compiler.config.patch(dynamic_sources="L['x']"):
    rows.append(["dynamic_sources", compiles(double, [(torch.ones(n),) for n in (5, 6, 7)], dynamic=False)])
ones_and_zeros = [(torch.tensor([1.0] * n + [0.0] * (4 - n)),) for n in (2, 3, 4)]
rows.append(
    ["nonzero, fullgraph=True", compiles(lambda x: x.nonzero() * 2, ones_and_zeros, dynamic=False, fullgraph=True)]
)
show(Table(["dynamic=False and", "compiles for three sizes"], rows))
# region checks
assert [row[1] for row in rows] == [3, 1, 1, 1]
# endregion
