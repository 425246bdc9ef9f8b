# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# varies.output = ['\d+\.\d+ ms']
# varies.values = ["slower"]
# ///
"""exp of numbers whose result is 0: the vector function of glibc takes a slow path."""

from time import perf_counter

import torch
from _step4_backend import backend

exp, x = torch.compile(torch.exp, backend=backend, dynamic=False), torch.randn(1000, 1000)
masked = torch.where(torch.randn(1000, 1000) < 0, -1e9, x)
times = {"as drawn": [], "half of them -1e9": []}
exp(x)
for _ in range(9):
    for name, numbers in zip(times, (x, masked), strict=True):
        began = perf_counter()
        exp(numbers)
        times[name].append(1e3 * (perf_counter() - began))
for name, samples in times.items():
    print(f"{name}: {min(samples):.2f} ms")
slower = min(times["half of them -1e9"]) / min(times["as drawn"])
# region checks
torch.testing.assert_close(exp(masked), masked.exp())
# endregion
