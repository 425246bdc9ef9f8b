# /// lesson
# needs = ["compiler"]
# ///
"""Count how often a start asks for the precompiled header."""

from unittest.mock import patch

import torch

# private: what a start asks of its caches has no public name
from torch._dynamo.utils import counters
from torch._inductor import codecache, config  # private
from torch._inductor.utils import clear_caches  # private

from compile_lessons import Table, show

model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU())
build_header = codecache._precompile_header


def start(precompile):
    torch.compiler.reset()
    clear_caches()  # nothing in memory, as in a new process
    counters.clear()
    counted = patch.object(codecache, "_precompile_header", wraps=build_header)
    setting = config.patch({"cpp_cache_precompile_headers": precompile})
    with torch.no_grad(), setting, counted as header:
        torch.compile(model)(torch.ones(16, 32))
    hits = counters["aot_autograd"]["autograd_cache_hit"]
    return [int(precompile), "hit" if hits else "miss", header.call_count]


rows = [start(precompile) for precompile in (True, True, False, False)]
variable = "TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS"
show(Table([variable, "cache", "asked for the header"], rows))

# region checks
assert rows == [[1, "miss", 1], [1, "hit", 1], [0, "miss", 0], [0, "hit", 0]]
# endregion
