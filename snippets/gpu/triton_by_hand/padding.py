# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Padding takes part in a reduction with the value of other: 0 is wrong for softmax."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, other, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    mask = column < columns
    offsets = tl.program_id(0) * columns + column
    x = tl.load(x_ptr + offsets, mask, other=other)
    exponentials = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + offsets, exponentials / tl.sum(exponentials, axis=0), mask)


torch.manual_seed(0)
sums = {}
for columns in (64, 50):
    logits = torch.randn(4, columns) - 5
    for other in (0.0, -float("inf")):
        probabilities = torch.empty_like(logits)
        softmax_kernel[(4,)](logits, probabilities, columns, other, BLOCK=64)
        sums[columns, other] = probabilities.sum(1).mean().item()
        total = f"{sums[columns, other]:.3f}"
        print(f"{columns} columns, other={other}: probabilities add up to {total}")
wrong = sums[50, 0.0]
# region checks
assert abs(sums[50, -float("inf")] - 1) < 1e-5
assert wrong < 0.5
assert abs(sums[64, 0.0] - 1) < 1e-5
# endregion
