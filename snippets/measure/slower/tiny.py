# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]* µs']
# varies.values = ["us", "small_ratio", "large_ratio"]
# ///
"""Two operators on 8 elements and on a million, in eager mode and compiled."""

# region copy
from timeit import repeat

import torch


def scale(x):
    return x * 0.5 + 1


torch.set_num_threads(1)
compiled = torch.compile(scale, dynamic=False)
times = []
for elements in (8, 1 << 20):
    x = torch.randn(elements)
    for call in ("scale(x)", "compiled(x)"):
        us = min(repeat(call, globals=globals(), number=20, repeat=20)) / 20 * 1e6
        times.append(us)
        print(f"{elements:9,} elements, {call:11} {us:8,.1f} µs")
# endregion
# region checks
small_ratio = times[1] / times[0]
large_ratio = times[3] / times[2]
assert small_ratio > 1 > large_ratio  # each call's fixed cost weighs on the small input
# endregion
