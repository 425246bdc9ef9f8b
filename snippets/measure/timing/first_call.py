# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["wrong_us", "right_us", "factor", "began"]
# ///
"""Wrong: the loop includes the call that compiles."""

from statistics import mean, median
from time import perf_counter

import torch


def gelu(x):
    return 0.5 * x * (1 + torch.tanh(0.79788 * (x + 0.044715 * x**3)))


torch.set_num_threads(1)  # so that other programs on this machine disturb less
x = torch.randn(1 << 16)
compiled = torch.compile(gelu)
times = []
for _ in range(100):
    began = perf_counter()
    compiled(x)
    times.append((perf_counter() - began) * 1e6)

wrong_us = mean(times)
right_us = median(times[10:])
factor = wrong_us / right_us
print(f"wrong: mean of all 100 calls        {wrong_us:9,.0f} µs")
print(f"right: median without the first 10  {right_us:9,.0f} µs")

# region checks
assert times[0] > 0.5 * sum(times)  # longer than the other 99 together
# endregion
