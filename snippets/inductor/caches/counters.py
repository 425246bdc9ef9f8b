# /// lesson
# needs = ["compiler"]
# ///
"""The same function compiled three times: a miss, a hit, and a miss after an edit."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter

from compile_lessons import Table, show


# region functions
def gelu(x):
    return x * torch.sigmoid(1.702 * x)


def edited(x):
    return x * torch.sigmoid(1.703 * x)


# endregion


def row(call):
    autograd = counters["aot_autograd"]
    inductor = counters["inductor"]
    hits = [autograd["autograd_cache_hit"], inductor["fxgraph_cache_hit"]]
    misses = [autograd["autograd_cache_miss"], inductor["fxgraph_cache_miss"]]
    return [call, *hits, *misses]


rows = []
for call, function in [("first compile", gelu), ("again", gelu), ("edited", edited)]:
    torch.compiler.reset()  # forgets what is in memory, keeps the files
    counters.clear()
    torch.compile(function)(torch.ones(64))
    rows.append(row(call))
columns = ["hits: AOTAutograd", "FX graph", "misses: AOTAutograd", "FX graph"]
show(Table(["compile", *columns], rows))
# region checks
assert [row[1:] for row in rows] == [[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]]
# endregion
