# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d,.]* µs']
# varies.values = ["ratio"]
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
torch.empty(1 << 22)  # so that no call waits for memory from the system
rows, times = [], []
for x in (torch.linspace(-4, 4, 512), torch.linspace(-4, 4, 1 << 20)):
    for function in (whole, broken):
        torch.compiler.reset()
        compiled = torch.compile(function)
        codes = run_and_get_code(compiled, x)[1]
        kernels = sum(code.count("async_compile.cpp_pybinding(") for code in codes)
        times.append(min(timeit.repeat("compiled(x)", globals=globals(), number=5, repeat=30)) / 5)
        rows.append([f"{len(x):,}", function.__name__, len(codes), kernels, f"{times[-1] * 1e6:,.0f} µs"])
show(Table(["numbers", "function", "graphs", "kernels", "a call"], rows))
whole_kernels, broken_kernels, ratio = rows[2][3], rows[3][3], times[3] / times[2]
assert [row[2:4] for row in rows] == [[1, 1], [2, 2], [1, 1], [2, 2]]
