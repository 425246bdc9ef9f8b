"""Say beforehand which dimension changes."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def unmarked(x):
    pass


def marked(x):
    torch._dynamo.mark_dynamic(x, 0)


def bounded(x):
    torch._dynamo.mark_dynamic(x, 0, min=2, max=64)


rows = []
for mark in (unmarked, marked, bounded):
    torch.compiler.reset()
    graphs, row = [], [mark.__name__]
    compiled = torch.compile(lambda x: x * 2, backend=keep_graph)
    mark(first := torch.ones(4, 3))
    for x in (first, torch.ones(50, 3), torch.ones(100, 3), torch.ones(50, 5)):
        compiled(x)
        row.append(len(graphs))
    rows.append(row)

show(Table(["first tensor", "4 x 3", "50 x 3", "100 x 3", "50 x 5"], rows))
# region checks
assert [row[1:] for row in rows] == [[1, 2, 2, 3], [1, 1, 1, 2], [1, 1, 2, 3]]
# endregion
