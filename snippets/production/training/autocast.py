"""Autocast around a compiled function or inside it: dtypes, and number of compiles."""

import torch

from compile_lessons import Table, keep_graphs, show

linear = torch.nn.Linear(8, 8)
x = torch.randn(4, 8)


def plain(x):
    return torch.relu(linear(x))


def inside(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.relu(linear(x))


rows = []
for function in (plain, inside):
    kept = keep_graphs()
    compiled = torch.compile(function, backend=kept)
    without = compiled(x).dtype
    with torch.autocast("cpu", dtype=torch.bfloat16):
        around = compiled(x).dtype
    rows.append([function.__name__, str(without), str(around), len(kept.graphs)])
columns = ["function", "without autocast", "then under autocast", "compiles in all"]
show(Table(columns, rows))

# region checks
assert [row[3] for row in rows] == [2, 2]
assert [row[1] for row in rows] == ["torch.float32", "torch.bfloat16"]
assert [row[2] for row in rows] == ["torch.bfloat16", "torch.bfloat16"]
# endregion
