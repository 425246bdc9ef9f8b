# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""recompile_limit counts versions, also the first and those of other compiled calls."""

import torch

from compile_lessons import Table, keep_graphs, show


def scaled(x, name):
    return x * len(name)


def call(compiled, times):
    for length in range(1, times + 1):
        compiled(torch.ones(2), "a" * length)


def compiles(before, **options):
    torch.compiler.reset()
    call(torch.compile(scaled, backend="eager"), before)
    kept = keep_graphs()
    call(torch.compile(scaled, backend=kept, **options), 6)
    return len(kept.graphs)


isolated = compiles(3, recompile_limit=4, isolate_recompiles=True)
rows = [
    [1, 0, "no", compiles(0, recompile_limit=1)],
    [2, 0, "no", compiles(0, recompile_limit=2)],
    [4, 0, "no", compiles(0, recompile_limit=4)],
    [4, 3, "no", compiles(3, recompile_limit=4)],
    [4, 3, "yes", isolated],
]
columns = ["versions of another call", "isolate_recompiles", "compiles"]
show(Table(["recompile_limit", *columns], rows))
# region checks
assert [row[3] for row in rows] == [1, 2, 4, 1, 4]
# endregion
