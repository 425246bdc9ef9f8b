# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""A store without a mask writes past the end, into whatever comes next in memory."""

import torch
import triton
import triton.language as tl


@triton.jit
def double_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr, MASKED: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n if MASKED else offsets >= 0
    tl.store(out_ptr + offsets, 2 * tl.load(x_ptr + offsets, mask), mask)


changed = {}
for masked in (False, True):
    x = torch.ones(1024)
    memory = torch.zeros(1024)
    out = memory[:1000]
    neighbor = memory[1000:]  # belongs to another tensor
    double_kernel[(1,)](x, out, 1000, BLOCK=1024, MASKED=masked)
    changed[masked] = int(neighbor.count_nonzero())
    print(f"masked: {masked}, result right: {bool((out == 2).all())}")
    print(f"  elements changed after its end: {changed[masked]}")
# region checks
assert changed == {False: 24, True: 0}
# endregion
