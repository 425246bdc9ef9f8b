"""A wrong result, and no error."""

import torch

from compile_lessons import Table, show

factor = 2.0


def scaled(x):
    return torch.relu(x) * factor


def by_scaled(x):
    return scaled(x) + 1


@torch.compiler.allow_in_graph
def hidden(x):
    return torch.relu(x) * factor


def by_hidden(x):
    return hidden(x) + 1


plain = torch.compile(by_scaled, backend="aot_eager", fullgraph=True)
allowed = torch.compile(by_hidden, backend="aot_eager", fullgraph=True)
no_aot = torch.compile(by_hidden, backend="eager", fullgraph=True)

rows = []
for factor in (2.0, 10.0):
    x = torch.ones(1)
    results = [by_scaled(x), plain(x), allowed(x), no_aot(x)]
    rows.append([factor, *(result.item() for result in results)])
allow = "allow_in_graph"
columns = ["factor", "not compiled", "compiled", allow, f'{allow}, backend="eager"']
show(Table(columns, rows))

# region checks
assert rows[0][1:] == [3.0, 3.0, 3.0, 3.0]
assert rows[1][1:] == [11.0, 11.0, 3.0, 11.0]
# endregion
