# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d,.]* (µs|ms)']
# varies.values = ["start", "scale", "plain_us", "eager_ms", "inductor_ms", "inductor_us"]
# ///
"""First call and later calls, backend by backend."""

import random
from time import perf_counter
from timeit import repeat

import torch

from compile_lessons import Table, show

scale = random.uniform(1.7, 1.8)  # a new constant: no kernel of an earlier run fits


def quick_gelu(x):
    return x * torch.sigmoid(scale * x)


def microseconds(function):
    return min(repeat(lambda: function(x), number=5, repeat=30)) / 5 * 1e6


torch.set_num_threads(1)  # so that other programs on this machine disturb less
torch.empty(1 << 22)  # memory given back once is kept for later calls
x, rows = torch.linspace(-4, 4, 1 << 20), []
plain_us = microseconds(quick_gelu)
for backend in ["eager", "aot_eager", "inductor"]:
    torch.compile(lambda x: x * torch.sigmoid(x), backend=backend)(x)  # imports: not what we time
    compiled, start = torch.compile(quick_gelu, backend=backend), perf_counter()
    compiled(x)
    rows.append([backend, (perf_counter() - start) * 1e3, microseconds(compiled)])
table = [["not compiled", "", f"{plain_us:,.0f} µs"]]
table += [[name, f"{first:,.1f} ms", f"{later:,.0f} µs"] for name, first, later in rows]
show(Table(["backend", "first call", "later calls"], table))
eager_ms, (inductor_ms, inductor_us) = rows[0][1], rows[2][1:]

# region checks
assert inductor_ms > eager_ms and inductor_us < plain_us
# endregion
