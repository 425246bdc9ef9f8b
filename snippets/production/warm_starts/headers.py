# /// lesson
# needs = ["compiler"]
# ///
"""Count how often a start asks for the precompiled header. Uses private names of torch."""

from unittest.mock import patch

import torch
from torch._dynamo.utils import counters
from torch._inductor import codecache, config
from torch._inductor.utils import clear_caches

from compile_lessons import Table, show

model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.Linear(64, 32))
rows = []


def start(precompile):
    torch.compiler.reset()
    clear_caches()  # nothing in memory, as in a new process
    counters.clear()
    with (
        torch.no_grad(),
        config.patch({"cpp_cache_precompile_headers": precompile}),
        patch.object(codecache, "_precompile_header", wraps=codecache._precompile_header) as header,
    ):
        torch.compile(model)(torch.ones(16, 32))
    hits = counters["aot_autograd"]["autograd_cache_hit"]
    rows.append([int(precompile), "hit" if hits else "miss", header.call_count])


for precompile in (True, True, False, False):
    start(precompile)
show(Table(["TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS", "cache", "asked for the header"], rows))
# region checks
assert rows == [[1, "miss", 1], [1, "hit", 1], [0, "miss", 0], [0, "hit", 0]]
# endregion
