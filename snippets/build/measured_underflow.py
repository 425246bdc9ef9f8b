# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# varies.output = ['\d+ µs']
# varies.values = ["slower", "slower_double", "began"]
# ///
"""exp of numbers whose result is 0: the polynomial of the prelude, and the vector function of glibc."""

from time import perf_counter

import torch
from _step4_backend import backend

from compile_lessons import Table, show

drawn = torch.randn(128, 256)
masked = torch.where(torch.randn(128, 256) < 0, -1e9, drawn)
rows, ratios = [], []
for dtype, used in ((torch.float32, "the prelude's"), (torch.float64, "glibc's")):
    torch.compiler.reset()
    exp, times = torch.compile(torch.exp, backend=backend, dynamic=False), ([], [])
    for _ in range(50):
        for numbers, samples in zip((drawn, masked), times, strict=True):
            numbers = numbers.to(dtype)
            began = perf_counter()
            result = exp(numbers)
            samples.append(1e6 * (perf_counter() - began))
            torch.testing.assert_close(result, numbers.exp())
    rows.append([str(dtype), used, *(f"{min(samples):.0f} µs" for samples in times)])
    ratios.append(min(times[1]) / min(times[0]))
show(Table(["dtype", "exp", "numbers as drawn", "half of them -1e9"], rows))
slower, slower_double = ratios
# region checks
assert len(rows) == 2
# endregion
