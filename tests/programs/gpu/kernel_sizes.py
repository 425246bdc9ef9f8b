"""A kernel by hand scales batches whose size changes: it compiles again in the middle of the run."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, out, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) * factor, at < n)


tokens = torch.randn(4096, device="cuda")
out = torch.empty_like(tokens)
for size in [1024] * 12 + [1023, 1024, 1, 700, 2048, 33]:
    block = triton.next_power_of_2(size)
    scale[(1,)](tokens, out, size, 2.0, BLOCK=block)  # finding: kernel-recompiled
for start in range(4):
    scale[(1,)](tokens[start:], out, 512, 2, BLOCK=512)
torch.cuda.synchronize()
