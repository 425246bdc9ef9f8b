"""torch.compiler.disable keeps a function, and what it calls, out of every graph."""

import torch

from compile_lessons import Table, show


def inner(x):
    return x.cos()


def outer(x):
    return inner(x).sin()


def caller(function):
    return lambda x: function(x * 2) + 1


graphs, rows = [], []


def keep(graph_module, example_inputs):
    names = [node.name for node in graph_module.graph.nodes if node.op in ("call_function", "call_method")]
    graphs.append(names)
    return graph_module.forward


for name, function in {
    "as it is": outer,
    "disable(outer)": torch.compiler.disable(outer),
    "disable(outer, recursive=False)": torch.compiler.disable(outer, recursive=False),
}.items():
    torch.compiler.reset()
    graphs.clear()
    torch.compile(caller(function), backend=keep)(torch.ones(4))
    rows.append([name, len(graphs), " | ".join(" ".join(graph) for graph in graphs)])

show(Table(["outer", "graphs", "operators, graph by graph"], rows))
whole, disabled, shallow = (row[1] for row in rows)
assert whole == 1 and disabled == 2 and "cos" not in rows[1][2] and "cos" in rows[2][2]
