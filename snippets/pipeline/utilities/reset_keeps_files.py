# /// lesson
# needs = ["compiler"]
# ///
"""reset() is not a cold start: the caches on disk stay."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter

from compile_lessons import Table, show


def scaled(x):
    return x.sin() * 2


rows = []
for round_name in ("first compile", "after reset()"):
    counters.clear()
    torch.compile(scaled)(torch.ones(64))
    misses = counters["inductor"]["fxgraph_cache_miss"]
    hits = counters["aot_autograd"]["autograd_cache_hit"]
    rows.append([round_name, misses, hits])
    torch.compiler.reset()
show(Table(["round", "FX graph cache misses", "autograd cache hits"], rows))

# region checks
assert rows[0] == ["first compile", 1, 0]
assert rows[1] == ["after reset()", 0, 1]
# endregion
