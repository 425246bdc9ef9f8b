"""A break that the graph break count leaves out."""

import torch

from compile_lessons import Table, show


def double_if_positive(x):
    if x.sum() > 0:
        return x * 2
    return x


rows = []
for value in (1.0, -1.0):
    torch.compiler.reset()
    found = torch._dynamo.explain(double_if_positive)(torch.full((8,), value))
    rows.append([value, found.graph_count, found.graph_break_count, len(found.break_reasons)])

show(Table(["every element", "graph_count", "graph_break_count", "break_reasons"], rows))
missed_count, missed_reasons = rows[1][2], rows[1][3]
assert rows == [[1.0, 2, 1, 1], [-1.0, 1, 0, 1]]
