"""Statements that need a tensor's values, by default and with fullgraph=True."""

import torch

from compile_lessons import Table, capture, show

STATEMENTS = """if y.sum() > 0: y = -y
n = y.sum().item()
n = float(y.sum())
n = y.nonzero()
n = y[y > 2]
n = y.tolist()
text = str(y)
sorted([y, -y], key=lambda t: t.sum())"""
FUNCTION = "def f(x):\n    y = x + 1\n    {statement}\n    return y * 2"


def trace(fullgraph):
    return capture(scope["f"], until="dynamo", fullgraph=fullgraph)(torch.ones(8))


rows = []
for statement in STATEMENTS.splitlines():
    exec(FUNCTION.format(statement=statement), scope := {})
    by_default, whole = trace(False), trace(True)
    graphs = [[node.name for node in graph.dynamo.calls] for graph in by_default.graphs]
    rows.append([statement, len(by_default.breaks), str(graphs), "error" if whole.failures else "one graph"])
show(Table(["statement", "breaks", "operators of the graphs", "fullgraph=True"], rows))

# region checks
assert all(row[1] == 1 for row in rows)
assert [row[3] for row in rows] == ["error"] + ["one graph"] * 4 + ["error"] * 3
assert rows[-1][2] == "[['y', 'neg'], ['sum_1'], ['mul']]"
# endregion
