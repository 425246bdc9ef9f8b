# /// lesson
# varies.output = ['\d[\d.,]*']
# varies.values = ["same_rate", "other_rate", "factor", "one_mib"]
# ///
"""Wrong: the same small input again and again. It stays in the cache, as the data of a real program may not."""

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
inputs = [torch.rand(1 << 18) for _ in range(256)]
one_mib, all_mib = inputs[0].nbytes >> 20, sum(x.nbytes for x in inputs) >> 20
same_rate, other_rate = rate(inputs[:1]), rate(inputs)
factor = same_rate / other_rate
print(f"the same {one_mib} MiB in each call:       {same_rate:5.1f} GB/s")
print(f"cycling through {all_mib} MiB of inputs: {other_rate:5.1f} GB/s")

# region checks
assert (one_mib, all_mib) == (1, 256)
# endregion
