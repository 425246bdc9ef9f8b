# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""A new length needs a new CUDA graph: ten lengths as they are, and rounded up to a multiple of 256."""

from time import perf_counter

import torch

from compile_lessons import Table, show

model = torch.nn.Sequential(torch.nn.Linear(1024, 4096), torch.nn.GELU(), torch.nn.Linear(4096, 1024)).cuda()
lengths = [200, 310, 350, 420, 480, 510, 620, 700, 900, 1000]


def milliseconds(function, x):
    torch.cuda.synchronize()
    began = perf_counter()
    function(x)
    torch.cuda.synchronize()
    return (perf_counter() - began) * 1e3


rows = []
for name, multiple in {"as they are": 1, "multiples of 256": 256}.items():
    torch.compiler.reset()
    torch.cuda.empty_cache()
    compiled = torch.compile(model, mode="reduce-overhead", dynamic=True)
    sizes = [-(-length // multiple) * multiple for length in lengths]
    with torch.inference_mode():
        for number in (1, 2, 3):
            times = [milliseconds(compiled, torch.ones(size, 1024, device="cuda")) for size in sizes]
            reserved = f"{torch.cuda.memory_reserved() / 2**20:.0f} MiB"
            rows.append([name, len(set(sizes)), number, f"{sum(times):.1f} ms", f"{max(times):.1f} ms", reserved])
show(Table(["lengths", "different", "round", "10 calls", "longest", "memory reserved"], rows))
# region checks
assert [row[1] for row in rows] == [10] * 3 + [4] * 3
# endregion
