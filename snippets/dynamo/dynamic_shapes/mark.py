"""Mark a dimension before the first call, and count the compiles."""

import torch

from compile_lessons import Table, keep_graphs, show


def double(x):
    return x * 2


def count_compiles(first):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(double, backend=kept)
    compiles = []
    for x in (first, torch.ones(50, 3), torch.ones(100, 3), torch.ones(50, 5)):
        compiled(x)
        compiles.append(len(kept.graphs))
    return compiles


# region marks
marked = torch.ones(4, 3)
torch._dynamo.mark_dynamic(marked, 0)
bounded = torch.ones(4, 3)
torch._dynamo.mark_dynamic(bounded, 0, min=2, max=64)
rows = [
    ["unmarked", *count_compiles(torch.ones(4, 3))],
    ["marked", *count_compiles(marked)],
    ["marked, min=2, max=64", *count_compiles(bounded)],
    ["marked, then sliced", *count_compiles(marked[:])],
]
# endregion
show(Table(["first tensor", "4 x 3", "50 x 3", "100 x 3", "50 x 5"], rows))

# region checks
compiles = [row[1:] for row in rows]
assert compiles == [[1, 2, 2, 3], [1, 1, 1, 2], [1, 1, 2, 3], [1, 2, 2, 3]]
# endregion
