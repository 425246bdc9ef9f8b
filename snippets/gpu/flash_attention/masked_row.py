# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""A row whose first block of scores is all masked: -inf minus -inf is NaN, and the row stays NaN."""

import numpy
import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(scores_ptr, keep_ptr, out_ptr, SAFE: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, BLOCK)
    biggest, total = tl.full((1,), -float("inf"), tl.float32), tl.zeros((1,), tl.float32)
    for first in range(0, N, BLOCK):
        scores = tl.load(scores_ptr + row * N + first + column)
        scores = tl.where(tl.load(keep_ptr + row * N + first + column) != 0, scores, -float("inf"))
        new = tl.maximum(biggest, tl.max(scores, axis=0))
        shift = tl.where(new == -float("inf"), 0.0, new) if SAFE else new
        total = total * tl.exp(biggest - shift) + tl.sum(tl.exp(scores - shift), axis=0)
        biggest = new
    tl.store(out_ptr + row + tl.arange(0, 1), total)


numpy.seterr(invalid="ignore")  # otherwise NumPy warns of inf - inf
scores, keep = torch.zeros(2, 64), torch.ones(2, 64)
keep[0, :32] = 0  # row 0 sees nothing in the first of its two blocks
totals = {}
for safe in (False, True):
    out = torch.empty(2)
    softmax_kernel[(2,)](scores, keep, out, SAFE=safe, N=64, BLOCK=32)
    totals[safe] = out.tolist()
    print(f"safe={safe}: the sums of the exponentials are {totals[safe]}")
# region checks
assert totals[False][0] != totals[False][0] and totals[False][1] == 64.0
assert totals[True] == [32.0, 64.0]
# endregion
