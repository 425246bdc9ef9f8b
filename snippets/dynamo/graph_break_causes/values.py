"""A statement that needs the values of a tensor; four of eight can go into one graph."""

import logging

import torch

from compile_lessons import Table, show

STATEMENTS = """if y.sum() > 0: y = -y
n = y.sum().item()
n = float(y.sum())
n = y.tolist()
n = y.nonzero()
n = y[y > 2]
text = str(y)
sorted([y, -y], key=lambda t: t.sum())"""
FUNCTION = "def f(x):\n    y = x + 1\n    {statement}\n    return y * 2"

torch._logging.set_logs(dynamo=logging.ERROR)  # without advice on .item()
rows = []
for statement in STATEMENTS.splitlines():
    exec(FUNCTION.format(statement=statement), scope := {})
    torch.compiler.reset()
    found = torch._dynamo.explain(scope["f"])(torch.ones(8))
    graphs = [[node.name for node in g.graph.nodes if "call" in node.op] for g in found.graphs]
    try:
        torch.compile(scope["f"], backend="eager", fullgraph=True)(torch.ones(8))
        whole = "one graph"
    except torch._dynamo.exc.Unsupported:
        whole = "error"
    rows.append([statement, len(found.break_reasons), str(graphs), whole])

show(Table(["statement", "breaks", "graphs", "fullgraph=True"], rows))
causes, captured = len(rows), sum(row[3] == "one graph" for row in rows)
assert all(row[1] == 1 for row in rows) and (causes, captured) == (8, 4)
