# /// lesson
# varies.output = ['\d+\.\d+ µs']
# varies.values = ["microseconds"]
# ///
"""A time, different on every run."""

import timeit

import torch

x = torch.ones(1024)
microseconds = min(timeit.repeat(lambda: torch.sigmoid(x), number=100)) / 100 * 1e6
print(f"torch.sigmoid on {x.numel()} numbers: {microseconds:.2f} µs")
