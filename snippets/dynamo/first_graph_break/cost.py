# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d,.]* µs']
# varies.values = ["broken_us", "whole_us", "ratio"]
# ///
"""What a break costs."""

import timeit

import torch
from torch._inductor.utils import run_and_get_code

from compile_lessons import Table, show


def whole(x):
    y = torch.relu(x) + 1
    return y * y


def broken(x):
    y = torch.relu(x) + 1
    torch._dynamo.graph_break()
    return y * y


torch.set_num_threads(1)  # so that other programs on this machine disturb less
torch.empty(1 << 22)  # memory given back once is kept for later calls: none waits for the system
rows, times, kernels = [], {}, {}
for n in (512, 1 << 20):
    x = torch.linspace(-4, 4, n)
    for function in (whole, broken):
        torch.compiler.reset()
        compiled = torch.compile(function)
        _, codes = run_and_get_code(compiled, x)
        kernels[function] = sum(code.count("async_compile.cpp_pybinding(") for code in codes)
        times[function] = min(timeit.repeat("compiled(x)", globals=globals(), number=5, repeat=30)) / 5 * 1e6
        rows.append([f"{n:,}", function.__name__, len(codes), kernels[function], f"{times[function]:,.0f} µs"])

show(Table(["numbers", "function", "graphs", "kernels", "a call"], rows))
broken_us, whole_us, ratio = times[broken], times[whole], times[broken] / times[whole]
whole_kernels, broken_kernels = kernels[whole], kernels[broken]
assert (whole_kernels, broken_kernels) == (1, 2)
assert [row[2] for row in rows] == [1, 2, 1, 2]
