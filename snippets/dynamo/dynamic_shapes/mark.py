"""Mark a dimension before the first call, and count the compiles."""

import torch

from compile_lessons import Table, show


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


def sliced(x):
    return marked(x)[:]


rows = []
for mark in (unmarked, marked, bounded, sliced):
    torch.compiler.reset()
    graphs, row = [], [mark.__name__]
    compiled = torch.compile(lambda x: x * 2, backend=keep_graph)
    for x in (mark(torch.ones(4, 3)), torch.ones(50, 3), torch.ones(100, 3), torch.ones(50, 5)):
        compiled(x)
        row.append(len(graphs))
    rows.append(row)

show(Table(["first tensor", "4 x 3", "50 x 3", "100 x 3", "50 x 5"], rows))
# region checks
assert [row[1:] for row in rows] == [[1, 2, 2, 3], [1, 1, 1, 2], [1, 1, 2, 3], [1, 2, 2, 3]]
# endregion
