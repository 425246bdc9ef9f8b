# /// lesson
# needs = ["compiler"]
# ///
"""reset() is not a cold start: the caches on disk stay."""

import torch
from torch._dynamo.utils import counters

from compile_lessons import Table, show


def scaled(x):
    return x.sin() * 2


x, rows = torch.ones(64), []
for what in ["first compile", "after reset()"]:
    counters.clear()
    torch.compile(scaled)(x)
    cache = counters["inductor"]
    rows.append([what, cache["fxgraph_cache_miss"], counters["aot_autograd"]["autograd_cache_hit"]])
    torch.compiler.reset()

show(Table(["round", "FX graph cache misses", "autograd cache hits"], rows))
misses, second_misses = rows[0][1], rows[1][1]

# region checks
assert misses == 1 and second_misses == 0 and rows[1][2] == 1
# endregion
