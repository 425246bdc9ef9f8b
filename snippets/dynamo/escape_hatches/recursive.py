"""disable covers what the function calls, unless you pass recursive=False."""

import torch

from compile_lessons import Table, show


def inner(x):
    return torch.relu(x) + 1


def outer(x):
    return inner(x) * 2


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


rows = []
for recursive in (True, False):
    torch.compiler.reset()
    graphs.clear()
    hidden = torch.compiler.disable(outer, recursive=recursive)
    torch.compile(lambda x: hidden(x - 1), backend=keep_graph)(torch.ones(3))  # noqa: B023
    names = [[node.target.__name__ for node in g.graph.nodes if callable(node.target)] for g in graphs]
    rows.append([str(recursive), len(graphs), str(names)])

show(Table(["recursive", "graphs", "operators"], rows))

# region checks
assert [row[2] for row in rows] == ["[['sub']]", "[['sub'], ['relu', 'add']]"]
# endregion
