"""Say beforehand which dimension changes."""

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def double(x):
    return x * 2


def unmarked(x):
    pass


def marked(x):
    torch._dynamo.mark_dynamic(x, 0)


def bounded(x):
    torch._dynamo.mark_dynamic(x, 0, min=2, max=64)


rows = []
for mark in (unmarked, marked, bounded):
    torch.compiler.reset()
    counter = CompileCounter()  # a backend that counts
    compiled, row = torch.compile(double, backend=counter), [mark.__name__]
    mark(first := torch.ones(4, 3))
    for x in (first, torch.ones(50, 3), torch.ones(100, 3), torch.ones(50, 5)):
        compiled(x)
        row.append(counter.frame_count)
    rows.append(row)

show(Table(["first tensor", "4 x 3", "50 x 3", "100 x 3", "50 x 5"], rows))
unmarked_count, marked_count, bounded_count = (row[3] for row in rows)
assert [row[1:] for row in rows] == [[1, 2, 2, 3], [1, 1, 1, 2], [1, 1, 2, 3]]
