# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]* µs']
# varies.values = ["eager_us", "compiled_us"]
# ///
"""Wrong: the timed function drops its result, so the compiler removes the work."""

import torch
from torch.utils.benchmark import Timer

from compile_lessons import capture

torch.set_num_threads(1)  # so that other programs on this machine disturb less
x = torch.randn(256, 256)
weight = torch.randn(256, 256)


def unused(x):
    torch.relu(x @ weight).square().mean()


def returned(x):
    return torch.relu(x @ weight).square().mean()


def microseconds(function):
    function(x)  # a compiled function compiles here
    timer = Timer("function(x)", globals={"function": function, "x": x})
    return timer.blocked_autorange(min_run_time=0.2).median * 1e6


kernels = []
for function in (unused, returned):
    kernels.append(len(capture(function, machine_code=False)(x).kernels))
    eager_us = microseconds(function)
    compiled_us = microseconds(torch.compile(function))
    print(f"{function.__name__:8}  eager {eager_us:7,.1f} µs", end=", ")
    print(f"compiled {compiled_us:7,.1f} µs, {kernels[-1]} kernels")

# region checks
assert kernels[0] == 0
assert kernels[1] > 0
# endregion
