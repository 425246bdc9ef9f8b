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
from _functions import FUNCTIONS, inputs
from _step5_launch import backend_on
from torch._inductor import config
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show

# dynamo_pgo's warning says that the next line turns it off, too
warnings.filterwarnings("ignore", "dynamo_pgo")
config.force_disable_caches = True
torch.compile(torch.sin)(torch.ones(2, device="cuda"))  # imports aren't compile time
x = inputs(16384, 4096, device="cuda")


# region timed
def microseconds(function):
    return do_bench_cudagraph(partial(function, *x), rep=20, return_mode="median") * 1e3


def compile_and_time(function, backend):
    """Return the seconds of the first call, and the µs of later ones."""
    torch.compiler.reset()
    expected = function(*x)
    compiled = torch.compile(function, backend=backend, dynamic=False)
    began = perf_counter()
    torch.testing.assert_close(compiled(*x), expected, rtol=1e-4, atol=1e-5)
    return perf_counter() - began, microseconds(compiled)


rows = []
ratios = []
first_calls = []
for function in FUNCTIONS:
    eager_us = microseconds(function)
    inductor_s, inductor_us = compile_and_time(function, "inductor")
    step5_s, step5_us = compile_and_time(function, backend_on("cuda"))
    ratios.append(step5_us / inductor_us)
    first_calls.append((inductor_s, step5_s))
    times = [f"{us:.0f}" for us in (eager_us, inductor_us, step5_us)]
    rows.append([function.__name__, *times, f"{ratios[-1]:.2f}"])
# endregion
columns = ["function", "eager, µs", "Inductor, µs", "step 5, µs", "step 5 / Inductor"]
show(Table(columns, rows))
inductor_seconds = statistics.median(inductor for inductor, _ in first_calls)
step5_seconds = statistics.median(step5 for _, step5 in first_calls)
medians = f"Inductor {inductor_seconds:.2f} s, step 5 {step5_seconds:.2f} s"
print(f"first call, median: {medians}")
worst = max(ratios)
best = min(ratios)
middle = statistics.median(ratios)
within = sum(ratio <= 1.1 for ratio in ratios)
# region checks
assert middle < 2
assert len(ratios) == 10
# endregion
