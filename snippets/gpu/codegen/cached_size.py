# /// lesson
# needs = ["compiler"]
# ///
"""The cache returns code that was made for another first size."""

import torch

# private: torch has no public counters, and no public empty cache
from torch._dynamo.utils import counters
from torch._inductor.utils import fresh_cache  # private, as above

from compile_lessons import Table, show


def row_sums(x):
    return x.sum(-1)


rows = []
with fresh_cache():
    for count in (4, 4096):
        torch.compiler.reset()
        counters.clear()
        torch.compile(row_sums, dynamic=True)(torch.rand(count, 128))
        rows.append([count, counters["inductor"]["fxgraph_cache_hit"]])
show(Table(["rows in the first call", "hits of the cache"], rows))
# region checks
assert rows == [[4, 0], [4096, 1]]
# endregion
