# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""A new length needs a new CUDA graph: ten lengths, as they are and rounded up."""

import gc
from time import perf_counter

import torch
from torch import nn
from torch._inductor.utils import fresh_cache  # private: an empty cache for a while

from compile_lessons import Table, show

model = nn.Sequential(nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 1024)).cuda()
lengths = [200, 310, 350, 420, 480, 510, 620, 700, 900, 1000]


def milliseconds(function, x):
    began = perf_counter()
    function(x)
    torch.cuda.synchronize()
    return 1e3 * (perf_counter() - began)


def three_rounds(sizes):
    """Yield the times of each round's calls, and the MiB reserved since the start."""
    torch.compiler.reset()
    gc.collect()
    torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved()
    compiled = torch.compile(model, mode="reduce-overhead", dynamic=True)
    with torch.inference_mode(), fresh_cache():
        for _ in range(3):
            batches = [torch.ones(size, 1024, device="cuda") for size in sizes]
            times = [milliseconds(compiled, batch) for batch in batches]
            yield times, (torch.cuda.memory_reserved() - before) / 2**20


list(three_rounds([100]))  # a process's first compile takes longer
rows = []
for name, multiple in {"as they are": 1, "multiples of 256": 256}.items():
    sizes = [-(-length // multiple) * multiple for length in lengths]
    for number, (times, mib) in enumerate(three_rounds(sizes), 1):
        milliseconds_of_calls = [f"{sum(times):.1f} ms", f"{max(times):.1f} ms"]
        row = [name, len(set(sizes)), number, *milliseconds_of_calls, f"{mib:.0f} MiB"]
        rows.append(row)
columns = ["lengths", "different", "round", "10 calls", "longest", "memory reserved"]
show(Table(columns, rows))
# region checks
assert [row[1] for row in rows] == [10] * 3 + [4] * 3
# endregion
