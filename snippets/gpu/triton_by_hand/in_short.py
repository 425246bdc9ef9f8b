# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Vector add in Triton: each program adds one block."""

# region program
import os

os.environ["TRITON_INTERPRET"] = "1"  # on the CPU: leave it out on a GPU

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask)
    y = tl.load(y_ptr + offsets, mask)
    tl.store(out_ptr + offsets, x + y, mask)


x, y, out = torch.randn(3, 3000)
add_kernel[(triton.cdiv(3000, 1024),)](x, y, out, 3000, BLOCK=1024)
print(torch.equal(out, x + y))
# endregion

# region checks
assert torch.equal(out, x + y)
# endregion
