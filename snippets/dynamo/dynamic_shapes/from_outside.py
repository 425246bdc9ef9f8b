"""How often a program compiles in its first and in its second run, with settings that need no change of its code."""

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def total(x):
    return (x * 2).sum()


def run(settings):
    for name, value in settings.items():
        setattr(torch.compiler.config, name, value)
    counter = CompileCounter()
    compiled = torch.compile(total, backend=counter)
    for size in (5, 7, 9):
        compiled(torch.ones(size, 4))
    return counter.frame_count


rows = []
for settings in ({}, {"dynamic_sources": "L['x']:0"}, {"job_id": "my-training"}):
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder  # each row begins with an empty cache
        compiles = []
        for _ in range(2):
            with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
                compiles.append(process.submit(run, settings).result())
    rows.append([", ".join(f"{name} = {value!r}" for name, value in settings.items()) or "-", *compiles])
show(Table(["torch.compiler.config", "compiles in the first run", "in the second"], rows))
# region checks
assert [row[1:] for row in rows] == [[2, 2], [1, 1], [2, 1]]
# endregion
