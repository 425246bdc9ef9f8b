"""torch.compiler.disable keeps a function, and what it calls, out of every graph."""

import torch

from compile_lessons import Table, show


def inner(x):
    return x.cos()


def outer(x):
    return inner(x).sin()


graphs, rows = [], []


def keep_graph(graph_module, example_inputs):
    graphs.append([node.name for node in graph_module.graph.nodes if node.op.startswith("call_")])
    return graph_module.forward


for name, function in {
    "as it is": outer,
    "disable(outer)": torch.compiler.disable(outer),
    "disable(outer, recursive=False)": torch.compiler.disable(outer, recursive=False),
}.items():
    torch.compiler.reset()
    graphs.clear()
    torch.compile(lambda x, f=function: f(x * 2) + 1, backend=keep_graph)(torch.ones(4))
    rows.append([name, len(graphs), " | ".join(" ".join(graph) for graph in graphs)])

show(Table(["outer", "graphs", "operators, graph by graph"], rows))

# region checks
whole, disabled, shallow = (row[1] for row in rows)
assert (whole, disabled, shallow) == (1, 2, 3)
assert [row[2] for row in rows] == ["mul cos sin add", "mul | add", "mul | cos | add"]
# endregion
