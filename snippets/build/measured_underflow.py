# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# varies.output = ['\d+ µs']
# varies.values = ["slower", "slower_double", "began"]
# ///
"""exp of numbers whose result is 0: the prelude's polynomial, and glibc's function."""

from time import perf_counter

import torch
from _step4_backend import backend

from compile_lessons import Table, show


def fastest(exp, numbers):
    samples = []
    for _ in range(50):
        began = perf_counter()
        result = exp(numbers)
        samples.append(1e6 * (perf_counter() - began))
    torch.testing.assert_close(result, numbers.exp())
    return min(samples)


drawn = torch.randn(128, 256)
masked = torch.where(torch.randn(128, 256) < 0, -1e9, drawn)
rows = []
ratios = []
for dtype, used in ((torch.float32, "the prelude's"), (torch.float64, "glibc's")):
    torch.compiler.reset()
    exp = torch.compile(torch.exp, backend=backend, dynamic=False)
    exp(drawn.to(dtype))
    usual = fastest(exp, drawn.to(dtype))
    underflow = fastest(exp, masked.to(dtype))
    rows.append([str(dtype), used, f"{usual:.0f} µs", f"{underflow:.0f} µs"])
    ratios.append(underflow / usual)
show(Table(["dtype", "exp", "numbers as drawn", "half of them -1e9"], rows))
slower, slower_double = ratios
# region checks
assert len(rows) == 2
# endregion
