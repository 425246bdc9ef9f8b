"""Count the compiles while a size changes, with dynamic=None, True and False."""

import torch

from compile_lessons import Table, keep_graphs, show


def total(x):
    return x.sum() * 2


def count_compiles(dynamic):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(total, backend=kept, dynamic=dynamic)
    compiles = []
    for size in SIZES:
        before = len(kept.graphs)
        compiled(torch.ones(size))
        compiles.append(len(kept.graphs) - before)
    return compiles


SIZES = (32, 64, 128, 256, 5, 1, 0)
columns = [count_compiles(dynamic) for dynamic in (None, True, False)]
rows = [list(row) for row in zip(SIZES, *columns, strict=True)]
rows.append(["all", *map(sum, columns)])
show(Table(["size", "dynamic=None", "dynamic=True", "dynamic=False"], rows))

# region checks
assert rows[-1][1:] == [4, 3, 7]
assert sum(columns[0][:4]) == 2
# endregion
