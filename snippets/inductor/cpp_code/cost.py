# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+']
# varies.values = ["flipped", "strided"]
# ///
"""What it costs to lose the vectors: each loop next to one that keeps them."""

import statistics
from time import perf_counter

import torch

from compile_lessons import Table, show


def silu(x):
    return x * torch.sigmoid(x)


def silu_reversed(x):
    return silu(x.flip(0))


def silu_of_first_column(x):
    return silu(x[:, 0])


def seconds(function, x):
    start = perf_counter()
    function(x)
    return perf_counter() - start


def times_as_long(function, x):
    """Return the median of 100 ratios, each of two calls in turn."""
    compiled = torch.compile(function)
    samples = []
    for _ in range(103):
        slow = seconds(compiled, x)
        samples.append(slow / seconds(compiled_silu, vector))
    return statistics.median(samples[3:])


torch.set_num_threads(1)  # so that other programs on this machine disturb less
vector = torch.randn(1 << 16)
two_columns = torch.randn(1 << 16, 2)
compiled_silu = torch.compile(silu)
flipped = times_as_long(silu_reversed, vector)
strided = times_as_long(silu_of_first_column, two_columns)
rows = [
    ["silu(x.flip(0)), against silu(x)", f"{flipped:.2f}"],
    ["silu(wide[:, 0]), against silu(x)", f"{strided:.2f}"],
]
show(Table(["loops", "times as long"], rows))
# region checks
torch.testing.assert_close(compiled_silu(vector), silu(vector))
# endregion
