"""disable covers what the function calls, unless you pass recursive=False."""

import torch

from compile_lessons import Table, keep_graphs, show


def inner(x):
    return torch.relu(x) + 1


def outer(x):
    return inner(x) * 2


def operators_by_graph(hidden):
    torch.compiler.reset()
    kept = keep_graphs()
    torch.compile(lambda x: hidden(x - 1), backend=kept)(torch.ones(3))
    return [
        [node.target.__name__ for node in graph.graph.nodes if callable(node.target)]
        for graph in kept.graphs
    ]


rows = []
for recursive in (True, False):
    hidden = torch.compiler.disable(outer, recursive=recursive)
    operators = operators_by_graph(hidden)
    rows.append([str(recursive), len(operators), str(operators)])
show(Table(["recursive", "graphs", "operators"], rows))

# region checks
assert [row[2] for row in rows] == ["[['sub']]", "[['sub'], ['relu', 'add']]"]
# endregion
