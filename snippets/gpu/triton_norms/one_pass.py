# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""The variance as a difference of means loses its digits when the mean is large, and padding spoils a centered sum."""

import torch
import triton
import triton.language as tl

from compile_lessons import Table, show


@triton.jit
def variance_kernel(x_ptr, out_ptr, columns, WAY: tl.constexpr, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    mask = column < columns
    x = tl.load(x_ptr + tl.program_id(0) * columns + column, mask, other=0.0)
    mean = tl.sum(x, axis=0) / columns
    if WAY == "mean of squares - square of mean":
        variance = tl.sum(x * x, axis=0) / columns - mean * mean
    if WAY == "centered, padding kept":
        variance = tl.sum((x - mean) * (x - mean), axis=0) / columns
    if WAY == "centered, padding masked":
        centered = tl.where(mask, x - mean, 0.0)
        variance = tl.sum(centered * centered, axis=0) / columns
    tl.store(out_ptr + tl.program_id(0), variance)


ways = ["mean of squares - square of mean", "centered, padding kept", "centered, padding masked"]
rows, variance = [], {}
for way in ways:
    for mean in (0, 1000):
        x, out = torch.linspace(-1, 1, 1000).repeat(4, 1) + mean, torch.empty(4)
        variance_kernel[(4,)](x, out, 1000, WAY=way, BLOCK=1024)
        variance[way, mean] = out.mean().item()
    rows.append([way, *(f"{variance[way, mean]:.3f}" for mean in (0, 1000))])
show(Table(["variance as", "mean 0", "mean 1000"], [*rows, ["exact", "0.334", "0.334"]]))
padded = variance[ways[1], 1000]
# region checks
assert abs(variance[ways[2], 1000] - 0.334) < 0.001 and padded > 1000
assert abs(variance[ways[0], 1000] - 0.334) > 0.01 and abs(variance[ways[0], 0] - 0.334) < 0.001
# endregion
