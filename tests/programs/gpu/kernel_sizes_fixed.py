"""The kernel of ``kernel_sizes.py`` with one block size, and nothing else that its code depends on."""

import torch
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["n"], do_not_specialize_on_alignment=["x"])
def scale(x, out, n, factor: tl.float32, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) * factor, at < n)


tokens = torch.randn(4096, device="cuda")
out = torch.empty_like(tokens)
for size in [1024] * 12 + [1023, 1024, 1, 700, 2048, 33]:
    scale[(triton.cdiv(size, 256),)](tokens, out, size, 2.0, BLOCK=256)
    torch.testing.assert_close(out[:size], 2 * tokens[:size])
for start in range(4):
    scale[(2,)](tokens[start:], out, 512, 2, BLOCK=256)
    torch.testing.assert_close(out[:512], 2 * tokens[start : start + 512])
