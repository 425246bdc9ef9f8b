"""Mark a dimension before the first call, and count the compiles."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def marked(x, **bounds):
    torch._dynamo.mark_dynamic(x, 0, **bounds)
    return x


marks = {
    "unmarked": lambda x: x,
    "marked": marked,
    "marked, min=2, max=64": lambda x: marked(x, min=2, max=64),
    "marked, then sliced": lambda x: marked(x)[:],
}
rows = []
for name, mark in marks.items():
    torch.compiler.reset()
    graphs, row = [], [name]
    compiled = torch.compile(lambda x: x * 2, backend=keep_graph)
    for x in (mark(torch.ones(4, 3)), torch.ones(50, 3), torch.ones(100, 3), torch.ones(50, 5)):
        compiled(x)
        row.append(len(graphs))
    rows.append(row)

show(Table(["first tensor", "4 x 3", "50 x 3", "100 x 3", "50 x 5"], rows))
# region checks
assert [row[1:] for row in rows] == [[1, 2, 2, 3], [1, 1, 1, 2], [1, 1, 2, 3], [1, 2, 2, 3]]
# endregion
