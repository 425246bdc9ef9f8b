# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Softmax in Triton: each program reads one row and writes it once."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    mask = column < columns
    offsets = tl.program_id(0).to(tl.int64) * columns + column
    x = tl.load(x_ptr + offsets, mask, other=-float("inf")).to(tl.float32)
    exponentials = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + offsets, exponentials / tl.sum(exponentials, axis=0), mask)


def softmax(x):
    """Return the softmax over the last dimension of a contiguous tensor."""
    out = torch.empty_like(x)
    columns = x.shape[-1]
    block = triton.next_power_of_2(columns)
    warps = min(max(block // 256, 4), 32)
    rows = x.numel() // columns
    softmax_kernel[(rows,)](x, out, columns, BLOCK=block, num_warps=warps)
    return out


if __name__ == "__main__":
    x = torch.randn(5, 1000)
    difference = (softmax(x) - torch.softmax(x, -1)).abs().max().item()
    print(f"differs from torch.softmax by at most {difference:.0e}")
    # region checks
    assert difference < 1e-6
    # endregion
