"""Count the compiles of two runs, with settings that need no change of the program."""

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import torch

from compile_lessons import Table, keep_graphs, show


def total(x):
    return (x * 2).sum()


def count_compiles(settings):
    for name, value in settings.items():
        setattr(torch.compiler.config, name, value)
    kept = keep_graphs()
    compiled = torch.compile(total, backend=kept)
    for size in (5, 7, 9):
        compiled(torch.ones(size, 4))
    return len(kept.graphs)


def count_compiles_of_two_runs(settings):
    compiles = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder  # begin with an empty cache
        for _ in range(2):
            with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
                compiles.append(process.submit(count_compiles, settings).result())
    return compiles


rows = [["-", *count_compiles_of_two_runs({})]]
for name, value in (("dynamic_sources", "L['x']:0"), ("job_id", "my-training")):
    rows.append([f"{name} = {value!r}", *count_compiles_of_two_runs({name: value})])
columns = ["torch.compiler.config", "compiles in the first run", "in the second"]
show(Table(columns, rows))

# region checks
assert [row[1:] for row in rows] == [[2, 2], [1, 1], [2, 1]]
# endregion
