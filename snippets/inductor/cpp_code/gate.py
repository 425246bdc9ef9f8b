# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+']
# varies.values = ["ratio"]
# ///
"""Gated channels: interleaved as pairs, or as two halves."""

import statistics
from time import perf_counter

import torch

from compile_lessons import Table, capture, show


# region layouts
def interleaved(x):
    return x[..., ::2] * torch.sigmoid(x[..., 1::2])


def halves(x):
    gated, gate = x.chunk(2, -1)
    return gated * torch.sigmoid(gate)


# endregion


def seconds(function, x):
    start = perf_counter()
    function(x)
    return perf_counter() - start


torch.set_num_threads(1)  # so that other programs on this machine disturb less
x = torch.randn(64, 2048)
rows = []
for function in (interleaved, halves):
    [kernel] = capture(function)(x).kernels
    vectors = "yes" if "Vectorized" in kernel.source else "no"
    rows.append([function.__name__, vectors, kernel.bytes])
compiled_interleaved = torch.compile(interleaved)
compiled_halves = torch.compile(halves)
samples = []
for _ in range(103):  # in turn, so that a disturbance hits both
    slow = seconds(compiled_interleaved, x)
    samples.append(slow / seconds(compiled_halves, x))
ratio = statistics.median(samples[3:])
show(Table(["layout", "vectors", "bytes moved"], rows))
print(f"interleaved takes {ratio:.2f} times as long")
# region checks
assert [row[1] for row in rows] == ["no", "yes"]
# endregion
