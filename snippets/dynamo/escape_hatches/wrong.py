"""A wrong result, and no error."""

import torch

from compile_lessons import Table, show

factor = 2.0


def scaled(x):
    return torch.relu(x) * factor


plain = torch.compile(lambda x: scaled(x) + 1, backend="aot_eager", fullgraph=True)
hidden = torch.compiler.allow_in_graph(lambda x: torch.relu(x) * factor)
allowed = torch.compile(lambda x: hidden(x) + 1, backend="aot_eager", fullgraph=True)

x, rows = torch.ones(1), []
for factor in (2.0, 10.0):
    eager = scaled(x) + 1
    rows.append([factor, eager.item(), plain(x).item(), allowed(x).item()])

show(Table(["factor", "eager", "compiled", "compiled, allow_in_graph"], rows))
right, wrong = rows[1][1], rows[1][3]
assert rows[0][1:] == [3.0, 3.0, 3.0]
assert rows[1][1:] == [11.0, 11.0, 3.0]
