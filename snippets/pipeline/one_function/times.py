# /// lesson
# needs = ["compiler"]
# varies.output = ['[\d,]+\.\d+ ms']
# varies.values = ["first_ms", "later_ms", "eager_ms", "calls_to_pay", "scale", "start"]
# ///
"""The first call and the later ones."""

import random
from time import perf_counter

import torch

from compile_lessons import Table, show

scale = random.uniform(1.7, 1.8)  # a new constant: no kernel of an earlier run fits


def quick_gelu(x):
    return x * torch.sigmoid(scale * x)


def milliseconds(function):
    start = perf_counter()
    function(x)
    return (perf_counter() - start) * 1e3


torch.set_num_threads(1)  # so that other programs on this machine disturb less
torch.empty(1 << 22)  # from now on, glibc keeps freed memory for later calls
x = torch.linspace(-4, 4, 1 << 20)
torch.compile(torch.neg)(x)  # starts the compiler, which is not what we time
compiled = torch.compile(quick_gelu)
first_ms = milliseconds(compiled)

eager_times = []
later_times = []
for _ in range(150):  # in turn
    eager_times.append(milliseconds(quick_gelu))
    later_times.append(milliseconds(compiled))
eager_ms = min(eager_times)
later_ms = min(later_times)
rows = [
    ["eager", f"{eager_ms:,.2f} ms"],
    ["compiled, first call", f"{first_ms:,.2f} ms"],
    ["compiled, later calls", f"{later_ms:,.2f} ms"],
]
show(Table(["call", "time"], rows))
calls_to_pay = round(first_ms / (eager_ms - later_ms))

# region checks
torch.testing.assert_close(compiled(x), quick_gelu(x))
assert first_ms > 10 * later_ms
# endregion
