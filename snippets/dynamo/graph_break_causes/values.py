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

rows = []
for statement in STATEMENTS.splitlines():
    exec(f"def step(x):\n    y = x + 1\n    {statement}\n    return y * 2")
    pipeline = capture(step, until="dynamo")(torch.ones(8))  # noqa: F821
    graphs = [[node.name for node in graph.dynamo.calls] for graph in pipeline.graphs]
    whole = capture(step, until="dynamo", fullgraph=True)(torch.ones(8))  # noqa: F821
    outcome = "error" if whole.failures else "one graph"
    rows.append([statement, len(pipeline.breaks), str(graphs), outcome])
show(Table(["statement", "breaks", "operators of the graphs", "fullgraph=True"], rows))

# region checks
assert all(row[1] == 1 for row in rows)
assert [row[3] for row in rows] == ["error"] + ["one graph"] * 4 + ["error"] * 3
assert rows[-1][2] == "[['y', 'neg'], ['sum_1'], ['mul']]"
# endregion
