# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Vector add in Triton: each program adds one block."""

import torch
import triton
import triton.language as tl


# region kernel
@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask)
    y = tl.load(y_ptr + offsets, mask)
    tl.store(out_ptr + offsets, x + y, mask)


def add(x, y, block=1024):
    out = torch.empty_like(x)
    programs = triton.cdiv(x.numel(), block)
    add_kernel[(programs,)](x, y, out, x.numel(), BLOCK=block)
    return out


# endregion
if __name__ == "__main__":
    x, y = torch.randn(2, 3000)
    result = add(x, y)
    programs = triton.cdiv(3000, 1024)
    print(f"{programs} programs, equal to x + y: {torch.equal(result, x + y)}")
    # region checks
    assert programs == 3
    assert torch.equal(result, x + y)
    # endregion
