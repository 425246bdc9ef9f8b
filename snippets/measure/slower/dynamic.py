# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["time"]
# ///
"""Dynamic sizes: a kernel for all sizes is less specialized than for one size."""

import torch
import torch.nn.functional as F
from _paired import paired

from compile_lessons import capture


def mean_of_windows(x):
    return F.avg_pool2d(torch.relu(x), 3, 1, 1) * x.softmax(-1)


x = torch.randn(2, 8, 48, 40)
functions = {
    "eager": mean_of_windows,
    "static": torch.compile(mean_of_windows, dynamic=False),
    "dynamic": torch.compile(mean_of_windows, dynamic=True),
}
for name, time in paired(functions, x).items():
    print(f"{name:8} {time:6,.0f} µs")

size_uses = []
for dynamic in (False, True):
    with torch.inference_mode():
        kernels = capture(mean_of_windows, dynamic=dynamic)(x).kernels
    size_uses.append(sum(kernel.source.count("ks") for kernel in kernels))
    print(f"dynamic={dynamic!s:5}: the C++ uses a size variable {size_uses[-1]} times")

# region checks
assert size_uses[0] == 0
assert size_uses[1] > 0
# endregion
