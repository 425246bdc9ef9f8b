"""A print in a place where Dynamo can resume: a graph before it, and one behind it."""

import torch

from compile_lessons import Table, show


def straight(x):
    x = x + 1
    print(end="")
    return x * 2


def in_no_grad(x):
    with torch.no_grad():
        x = x + 1
        print(end="")
        return x * 2


rows = []
for function in (straight, in_no_grad):
    torch.compiler.reset()
    x = torch.ones(8, requires_grad=True)
    found = torch._dynamo.explain(function)(x)
    with_gradient = torch.compile(function, backend="eager")(x).requires_grad
    rows.append([function.__name__, found.graph_count, found.graph_break_count, str(with_gradient)])

show(Table(["function", "graphs", "graph_break_count", "result.requires_grad"], rows))
resumed_graphs = rows[0][1]
assert rows == [["straight", 2, 1, "True"], ["in_no_grad", 2, 1, "False"]]
