# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""The recompile limit is raised in the main thread; a pool's thread makes the calls."""

from concurrent.futures import ThreadPoolExecutor

import torch

from compile_lessons import Table, keep_graphs, show


def score(x):
    return x.cumsum(0).sin()


def count_compiles(pool, **options):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(score, backend=kept, dynamic=False, **options)
    for rows in range(2, 14):
        pool.submit(compiled, torch.ones(rows, 4)).result()
    return len(kept.graphs)


# region copy
def raise_limit():
    torch.compiler.config.recompile_limit = 64


raise_limit()  # for the main thread
pool = ThreadPoolExecutor(1, initializer=raise_limit)  # for each thread of the pool
# endregion
plain = ThreadPoolExecutor(1)
rows = [
    ["in the main thread", count_compiles(plain)],
    ["in the main thread and in the pool's thread", count_compiles(pool)],
    ["in torch.compile", count_compiles(plain, recompile_limit=64)],
]
show(Table(["the limit of 64 is set", "compiles for 12 sizes"], rows))

# region checks
assert [row[1] for row in rows] == [8, 12, 12]
# endregion
