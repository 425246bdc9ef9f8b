"""Say beforehand which dimension changes."""

import torch

from compile_lessons import Table, show


def double(x):
    return x * 2


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def unmarked(x):
    return x


def marked(x):
    torch._dynamo.mark_dynamic(x, 0)
    return x


def bounded(x):
    torch._dynamo.mark_dynamic(x, 0, min=2, max=64)
    return x


rows = []
for mark in (unmarked, marked, bounded):
    torch.compiler.reset()
    graphs.clear()
    compiled = torch.compile(double, backend=keep_graph)
    compiled(mark(torch.ones(4, 3)))
    first = len(graphs)
    for size in (9, 50, 100):
        compiled(torch.ones(size, 3))
    rows.append([mark.__name__, first, len(graphs)])

show(Table(["first tensor", "after 4", "after 9, 50, 100"], rows))
unmarked_count, marked_count, bounded_count = (row[2] for row in rows)
assert (unmarked_count, marked_count, bounded_count) == (2, 1, 2)
