# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""A row whose first block is all masked: -inf minus -inf is NaN, and stays NaN."""

import math

import numpy
import torch
import triton
import triton.language as tl


# region kernel
@triton.jit
def sum_kernel(
    scores_ptr, keep_ptr, out_ptr,
    SAFE: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0)
    biggest = tl.full((1,), -float("inf"), tl.float32)
    total = tl.zeros((1,), tl.float32)
    for first in range(0, N, BLOCK):
        offsets = row * N + first + tl.arange(0, BLOCK)
        keep = tl.load(keep_ptr + offsets) != 0
        scores = tl.where(keep, tl.load(scores_ptr + offsets), -float("inf"))
        new = tl.maximum(biggest, tl.max(scores, axis=0))
        shift = tl.where(new == -float("inf"), 0.0, new) if SAFE else new
        total = total * tl.exp(biggest - shift) + tl.sum(tl.exp(scores - shift), axis=0)
        biggest = new
    tl.store(out_ptr + row + tl.arange(0, 1), total)


# endregion


numpy.seterr(invalid="ignore")  # otherwise NumPy warns of inf - inf
scores = torch.zeros(2, 64)
keep = torch.ones(2, 64)
keep[0, :32] = 0  # row 0 sees nothing in the first of its two blocks
totals = {}
for safe in (False, True):
    out = torch.empty(2)
    sum_kernel[(2,)](scores, keep, out, SAFE=safe, N=64, BLOCK=32)
    totals[safe] = out.tolist()
    print(f"safe={safe}: the sums of the exponentials are {totals[safe]}")
# region checks
assert math.isnan(totals[False][0])
assert totals[False][1] == 64.0
assert totals[True] == [32.0, 64.0]
# endregion
