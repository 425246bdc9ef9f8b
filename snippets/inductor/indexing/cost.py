# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d']
# varies.values = ["flat_ratio", "heads_ratio"]
# ///
"""What a division in the index costs: two pairs of equal functions, timed in turns on one thread."""

from statistics import median
from time import perf_counter

import torch


def flat(x):
    return x.transpose(1, 2).reshape(-1).relu()


def flat_fixed(x):
    return x.transpose(1, 2).relu().reshape(-1)


def heads(x):
    return x.transpose(1, 2).reshape(4, 256, 768).relu()


def heads_fixed(x):
    return x.transpose(1, 2).relu().reshape(4, 256, 768)


def seconds(function, x):
    began = perf_counter()
    function(x)
    return perf_counter() - began


def ratio(function, fixed, x):
    function, fixed = torch.compile(function), torch.compile(fixed)
    torch.testing.assert_close(function(x), fixed(x))
    return median(seconds(function, x) / seconds(fixed, x) for _ in range(21))


torch.set_num_threads(1)
flat_ratio = ratio(flat, flat_fixed, torch.randn(8, 511, 513))
heads_ratio = ratio(heads, heads_fixed, torch.randn(4, 12, 256, 64))
print(f"flat:  {flat_ratio:.1f} times as long as flat_fixed")
print(f"heads: {heads_ratio:.1f} times as long as heads_fixed")
