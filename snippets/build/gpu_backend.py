# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 400
# varies.output = ['.*']
# ///
"""Ten functions on a GPU: eager mode, Inductor, and the Triton backend."""

import statistics
import warnings
from functools import partial
from time import perf_counter

import torch
import torch._inductor.config
from _functions import FUNCTIONS, inputs
from _step5_launch import backend_on
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show


def microseconds(call):
    return do_bench_cudagraph(call, rep=20, return_mode="median") * 1e3


warnings.filterwarnings("ignore", "dynamo_pgo")  # it says that the next line turns it off, too
torch._inductor.config.force_disable_caches = True
torch.compile(torch.sin)(torch.ones(2, device="cuda"))  # imports, which are not compile time
rows, ratios, seconds, x = [], [], {"Inductor": [], "step 5": []}, inputs(16384, 4096, device="cuda")
for function in FUNCTIONS:
    times, expected = [microseconds(partial(function, *x))], function(*x)
    for name, backend in (("Inductor", "inductor"), ("step 5", backend_on("cuda"))):
        torch.compiler.reset()
        compiled, began = torch.compile(function, backend=backend, dynamic=False), perf_counter()
        torch.testing.assert_close(compiled(*x), expected, rtol=1e-4, atol=1e-5)
        seconds[name].append(perf_counter() - began)
        times.append(microseconds(partial(compiled, *x)))
    ratios.append(times[2] / times[1])
    rows.append([function.__name__, *(f"{time:.0f}" for time in times), f"{ratios[-1]:.2f}"])
show(Table(["function", "eager, µs", "Inductor, µs", "step 5, µs", "step 5 / Inductor"], rows))
inductor_seconds, step5_seconds = (statistics.median(seconds[name]) for name in seconds)
print(f"first call, median: Inductor {inductor_seconds:.2f} s, step 5 {step5_seconds:.2f} s")
worst, best, middle = max(ratios), min(ratios), statistics.median(ratios)
within = sum(ratio <= 1.1 for ratio in ratios)
# region checks
assert middle < 2 and len(ratios) == 10
# endregion
