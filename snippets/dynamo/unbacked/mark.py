"""0 and 1 without a compile of their own: mark_unbacked."""

import torch

from compile_lessons import Table, show


def double(x):
    return x * 2


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


rows = []
for mark in (torch._dynamo.mark_dynamic, torch._dynamo.decorators.mark_unbacked):
    torch.compiler.reset()
    graphs.clear()
    compiled = torch.compile(double, backend=keep_graph)
    for size in (5, 7, 1, 0):
        x = torch.ones(size)
        if size > 1 or mark is not torch._dynamo.mark_dynamic:
            mark(x, 0)
        compiled(x)
    rows.append([mark.__name__, len(graphs)])

show(Table(["mark", "compiles for 5, 7, 1, 0"], rows))
dynamic_count, unbacked_count = rows[0][1], rows[1][1]
assert (dynamic_count, unbacked_count) == (3, 1)
