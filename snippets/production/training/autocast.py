"""Autocast around a compiled function or inside it: dtypes, and how often it is compiled."""

import torch

from compile_lessons import Table, show

linear, x = torch.nn.Linear(8, 8), torch.randn(4, 8)


def plain(x):
    return torch.relu(linear(x))


def inside(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.relu(linear(x))


def keep_graph(graph_module, example_inputs):
    return graphs.append(graph_module) or graph_module.forward


rows = []
for function in (plain, inside):
    torch.compiler.reset()
    graphs, compiled = [], torch.compile(function, backend=keep_graph)
    without = compiled(x).dtype
    first = len(graphs)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        around = compiled(x).dtype
    rows.append([function.__name__, str(without), first, str(around), len(graphs)])
show(Table(["function", "called without autocast", "compiles", "then called under autocast", "compiles so far"], rows))
# region checks
assert [row[4] for row in rows] == [2, 2]
# endregion
