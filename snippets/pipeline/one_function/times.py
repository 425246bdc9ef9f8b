# /// lesson
# needs = ["compiler"]
# varies.output = ['[\d,]+\.\d+ ms']
# varies.values = ["first_ms", "later_us", "eager_us", "calls_to_pay", "scale", "start"]
# ///
"""The first call and the later ones."""

import random
from time import perf_counter
from timeit import timeit

import torch

from compile_lessons import Table, show

scale = random.uniform(1.7, 1.8)  # a new constant: no kernel of an earlier run fits


def quick_gelu(x):
    return x * torch.sigmoid(scale * x)


def microseconds(*functions):
    rounds = [
        [timeit("f(x)", globals={"f": function, "x": x}, number=5) for function in functions] for _ in range(30)
    ]  # in turn
    return [min(times) / 5 * 1e6 for times in zip(*rounds, strict=True)]


torch.set_num_threads(1)  # so that other programs on this machine disturb less
torch.empty(1 << 22)  # memory given back once is kept for later calls
x = torch.linspace(-4, 4, 1 << 20)
torch.compile(torch.neg)(x)  # imports and starts the compiler, which is not what we time
compiled, start = torch.compile(quick_gelu), perf_counter()
torch.testing.assert_close(compiled(x), quick_gelu(x))
first_ms = (perf_counter() - start) * 1e3
eager_us, later_us = microseconds(quick_gelu, compiled)

calls = {"eager": eager_us / 1e3, "compiled, first call": first_ms, "compiled, later calls": later_us / 1e3}
show(Table(["call", "time"], [[call, f"{ms:,.2f} ms"] for call, ms in calls.items()]))
calls_to_pay = round(first_ms * 1e3 / (eager_us - later_us))

# region checks
assert first_ms * 1e3 > 10 * later_us
# endregion
