# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d']
# varies.values = ["flat_ratio", "heads_ratio"]
# ///
"""What a division in the index costs: two pairs of equal functions, timed in turns."""

from statistics import median
from time import perf_counter

import torch


def slow(x, *shape):
    return x.transpose(1, 2).reshape(shape).relu()


def fast(x, *shape):
    return x.transpose(1, 2).relu().reshape(shape)


def seconds(function, *arguments):
    began = perf_counter()
    function(*arguments)
    return perf_counter() - began


def ratio(*arguments):
    compiled_slow = torch.compile(slow)
    compiled_fast = torch.compile(fast)
    torch.testing.assert_close(compiled_slow(*arguments), compiled_fast(*arguments))
    ratios = []
    for _ in range(21):
        slow_seconds = seconds(compiled_slow, *arguments)
        ratios.append(slow_seconds / seconds(compiled_fast, *arguments))
    return median(ratios)


torch.set_num_threads(1)
flat_ratio = ratio(torch.randn(8, 511, 513), -1)
torch.compiler.reset()
heads_ratio = ratio(torch.randn(4, 12, 256, 64), 4, 256, 768)
print(f"flat:  slow takes {flat_ratio:.1f} times as long as fast")
print(f"heads: slow takes {heads_ratio:.1f} times as long as fast")
