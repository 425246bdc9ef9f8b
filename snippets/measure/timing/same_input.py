# /// lesson
# varies.output = ['\d[\d.,]*']
# varies.values = ["same_rate", "other_rate"]
# ///
"""Wrong: the same small input in each call. It stays in the cache."""

import itertools
from statistics import median
from time import perf_counter

import torch


def rate(inputs, calls=300):
    """Return the median rate at which sums read their inputs, in GB/s."""
    seconds = []
    for x in itertools.islice(itertools.cycle(inputs), calls):
        began = perf_counter()
        x.sum()
        seconds.append(perf_counter() - began)
    return inputs[0].nbytes / median(seconds) / 1e9


torch.set_num_threads(1)
inputs = [torch.rand(1 << 18) for _ in range(256)]  # 1 MiB each
same_rate = rate(inputs[:1])
other_rate = rate(inputs)
print(f"the same 1 MiB in each call:       {same_rate:5.1f} GB/s")
print(f"cycling through 256 MiB of inputs: {other_rate:5.1f} GB/s")

# region checks
assert inputs[0].nbytes == 1 << 20
# endregion
