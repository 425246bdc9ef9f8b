"""eager_then_compile sees two calls before it compiles: a size is dynamic at once."""

import torch

from compile_lessons import Table, keep_graphs, show


def scaled(x):
    return x.sin() * 2


rows = []
for stance in ("default", "eager_then_compile"):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(scaled, backend=kept)
    counts = []
    with torch.compiler.set_stance(stance):
        for size in (4, 5, 6, 7):
            compiled(torch.ones(size))
            counts.append(len(kept.graphs))
    rows.append([stance, *counts])
show(Table(["graphs so far, after size", "4", "5", "6", "7"], rows))

# region checks
assert [row[1:] for row in rows] == [[1, 2, 2, 2], [0, 1, 1, 1]]
# endregion
