# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""A new length needs a new CUDA graph: ten lengths as they are, and rounded up to a multiple of 256."""

import gc
from timeit import timeit

import torch
from torch._inductor.utils import fresh_cache

from compile_lessons import Table, show

model = torch.nn.Sequential(torch.nn.Linear(1024, 4096), torch.nn.GELU(), torch.nn.Linear(4096, 1024)).cuda()
lengths = [200, 310, 350, 420, 480, 510, 620, 700, 900, 1000]


def milliseconds(function, x):
    return 1e3 * timeit(lambda: (function(x), torch.cuda.synchronize()), number=1)


def three_rounds(sizes):
    """Yield the times of each round's calls, and the MiB reserved since the start."""
    torch.compiler.reset()
    gc.collect()
    torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved()
    compiled = torch.compile(model, mode="reduce-overhead", dynamic=True)
    with torch.inference_mode(), fresh_cache():
        for _ in range(3):
            times = [milliseconds(compiled, torch.ones(size, 1024, device="cuda")) for size in sizes]
            yield times, (torch.cuda.memory_reserved() - before) / 2**20


list(three_rounds([100]))  # a process's first compile takes longer, whatever it compiles
rows = []
for name, multiple in {"as they are": 1, "multiples of 256": 256}.items():
    sizes = [-(-length // multiple) * multiple for length in lengths]
    for number, (times, mib) in enumerate(three_rounds(sizes), 1):
        rows.append([name, len(set(sizes)), number, f"{sum(times):.1f} ms", f"{max(times):.1f} ms", f"{mib:.0f} MiB"])
show(Table(["lengths", "different", "round", "10 calls", "longest", "memory reserved"], rows))
# region checks
assert [row[1] for row in rows] == [10] * 3 + [4] * 3
# endregion
