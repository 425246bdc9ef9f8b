# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+']
# varies.values = ["ratio", "start", "middle"]
# ///
"""Gated channels: interleaved as pairs, or as two halves."""

import statistics
from time import perf_counter

import torch

from compile_lessons import Table, capture, show


def interleaved(x):
    return x[..., ::2] * torch.sigmoid(x[..., 1::2])


def halves(x):
    gated, gate = x.chunk(2, -1)
    return gated * torch.sigmoid(gate)


torch.set_num_threads(1)  # so that other programs on this machine disturb less
x, rows = torch.randn(64, 2048), []
for function in (interleaved, halves):
    [kernel] = capture(function)(x).kernels
    rows.append([function.__name__, "yes" if "Vectorized" in kernel.source else "no", kernel.bytes])
compiled = torch.compile(interleaved), torch.compile(halves)
samples = []
for _ in range(103):
    start = perf_counter()
    compiled[0](x)
    middle = perf_counter()
    compiled[1](x)
    samples.append((middle - start) / (perf_counter() - middle))
ratio = statistics.median(samples[3:])
show(Table(["layout", "vectors", "bytes moved"], rows))
print(f"interleaved takes {ratio:.2f} times as long")
# region checks
assert [row[1] for row in rows] == ["no", "yes"]
# endregion
