# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""The variance as a difference of means loses its digits when the mean is large."""

import torch
import triton
import triton.language as tl

from compile_lessons import Table, show


# region kernel
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


# endregion


ways = [
    "mean of squares - square of mean",
    "centered, padding kept",
    "centered, padding masked",
]
rows = []
variance = {}
for way in ways:
    for mean in (0, 1000):
        x = torch.linspace(-1, 1, 1000).repeat(4, 1) + mean
        out = torch.empty(4)
        variance_kernel[(4,)](x, out, 1000, WAY=way, BLOCK=1024)
        variance[way, mean] = out.mean().item()
    rows.append([way, *(f"{variance[way, mean]:.3f}" for mean in (0, 1000))])
exact = f"{torch.linspace(-1, 1, 1000).var(correction=0):.3f}"
show(Table(["variance as", "mean 0", "mean 1000"], [*rows, ["exact", exact, exact]]))
# region checks
one_pass, padded, masked = ways
assert abs(variance[masked, 1000] - 0.334) < 0.001
assert variance[padded, 1000] > 1000
assert abs(variance[one_pass, 1000] - 0.334) > 0.01
assert abs(variance[one_pass, 0] - 0.334) < 0.001
# endregion
