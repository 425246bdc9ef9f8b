# /// lesson
# varies.output = ['\d[\d.,]*']
# varies.values = ["low", "middle", "high", "mean_us", "began"]
# ///
"""Wrong: one call, or a mean. Single calls vary, and a few slow ones raise the mean."""

from statistics import fmean, quantiles
from time import perf_counter

import torch
from torch import nn

torch.set_num_threads(1)
model = nn.Linear(256, 256).eval()
x = torch.randn(64, 256)
times = []
with torch.inference_mode():
    for _ in range(2000):
        began = perf_counter()
        model(x)
        times.append((perf_counter() - began) * 1e6)
times = times[100:]  # without the warm-up

mean_us = fmean(times)
low, middle, high = quantiles(times, n=4)
print(f"one call: anything between {min(times):,.0f} and {max(times):,.0f} µs")
print(f"mean:     {mean_us:,.0f} µs")
print(
    f"median:   {middle:,.0f} µs, half of the calls took {low:,.0f} to {high:,.0f} µs"
)

# region checks
assert min(times) < low <= middle <= high < max(times)
# endregion
