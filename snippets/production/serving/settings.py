# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""The recompile limit is raised in the main thread, and the calls come from a pool's thread."""

from concurrent.futures import ThreadPoolExecutor

import torch
from torch._dynamo.utils import counters

from compile_lessons import Table, show


def score(x):
    return x.cumsum(0).sin()


def count_compiles(pool, **options):
    torch.compiler.reset()
    counters.clear()
    compiled = torch.compile(score, backend="eager", dynamic=False, **options)
    for rows in range(2, 14):
        pool.submit(compiled, torch.ones(rows, 4)).result()
    return counters["stats"]["unique_graphs"]


# region copy
def raise_limit():
    torch._dynamo.config.recompile_limit = 64


raise_limit()  # for the main thread
pool = ThreadPoolExecutor(1, initializer=raise_limit)  # for each thread of the pool
# endregion
plain = ThreadPoolExecutor(1)
rows = [["in the main thread", count_compiles(plain)]]
rows.append(["in the main thread and in the pool's thread", count_compiles(pool)])
rows.append(["in torch.compile", count_compiles(plain, recompile_limit=64)])
show(Table(["the limit of 64 is set", "compiles for 12 sizes"], rows))
# region checks
assert [row[1] for row in rows] == [8, 12, 12]
# endregion
