# /// lesson
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Two compilations of one function share its recompile limit, unless isolated."""

import torch

from compile_lessons import Table, keep_graphs, show


def scaled(x):
    return x.sin() * 2


rows = []
for isolated in (False, True):
    torch.compiler.reset()
    kept = keep_graphs()
    options = {"recompile_limit": 1, "isolate_recompiles": isolated}
    compiled = torch.compile(scaled, backend=kept, **options)
    compiled_again = torch.compile(scaled, backend=kept, **options)
    compiled(torch.ones(8))
    compiled_again(torch.ones(8, dtype=torch.float64))
    rows.append([f"isolate_recompiles={isolated}", len(kept.graphs)])
show(Table(["compiled with", "graphs"], rows))

# region checks
assert [row[1] for row in rows] == [1, 2]
# endregion
