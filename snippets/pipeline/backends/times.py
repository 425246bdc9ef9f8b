# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d,.]* (µs|ms)']
# varies.values = ["inductor_first_ms", "eager_first_ms", "plain_us", "inductor_later_us", "scale", "start"]
# ///
"""First call and later calls, backend by backend."""

import random
import timeit
from time import perf_counter

import torch

from compile_lessons import Table, show

scale = random.uniform(1.7, 1.8)  # never seen before, so that no kernel of an earlier run fits


def quick_gelu(x):
    return x * torch.sigmoid(scale * x)


def microseconds(function):
    return min(timeit.repeat(lambda: function(x), number=5, repeat=30)) / 5 * 1e6


torch.set_num_threads(1)  # so that other programs on this machine disturb less
torch.empty(1 << 22)  # memory given back once is kept for later calls: none waits for the system
x = torch.linspace(-4, 4, 1 << 20)
plain_us = microseconds(quick_gelu)
rows, first_ms, later_us = [["not compiled", "", f"{plain_us:,.0f} µs"]], {}, {}
for backend in ["eager", "aot_eager", "inductor"]:
    torch.compile(torch.neg, backend=backend)(x)  # import the backend, which is not what we time
    compiled = torch.compile(quick_gelu, backend=backend)
    start = perf_counter()
    compiled(x)
    first_ms[backend] = (perf_counter() - start) * 1e3
    later_us[backend] = microseconds(compiled)
    rows.append([backend, f"{first_ms[backend]:,.1f} ms", f"{later_us[backend]:,.0f} µs"])
    assert first_ms[backend] * 1e3 > later_us[backend]
    torch.compiler.reset()

show(Table(["backend", "first call", "later calls"], rows))
eager_first_ms, inductor_first_ms = first_ms["eager"], first_ms["inductor"]
inductor_later_us = later_us["inductor"]
