# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["static_us", "dynamic_us", "eager_us", "time"]
# ///
"""Dynamic sizes: a kernel for all sizes is less specialized than a kernel for one size."""

import torch
from _paired import paired

from compile_lessons import capture


def mean_of_windows(x):
    return torch.nn.functional.avg_pool2d(torch.relu(x), 3, 1, 1) * x.softmax(-1)


x = torch.randn(2, 8, 48, 40)
functions = {
    "eager": mean_of_windows,
    "static": torch.compile(mean_of_windows, dynamic=False),
    "dynamic": torch.compile(mean_of_windows, dynamic=True),
}
us = paired(functions, x)
eager_us, static_us, dynamic_us = us.values()
divisions = {}
for name in ("static", "dynamic"):
    with torch.inference_mode():
        pipeline = capture(mean_of_windows, dynamic=name == "dynamic")(x)
    divisions[name] = sum(kernel.source.count("ks") for kernel in pipeline.kernels)
for name, time in us.items():
    print(f"{name:8} {time:6,.0f} µs", f"  uses of a size variable in the C++: {divisions.get(name, 0)}")

# region checks
assert divisions["static"] == 0 < divisions["dynamic"]
# endregion
