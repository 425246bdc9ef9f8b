"""The key of an autotuned kernel has the number of rows, which is new with each batch."""

import torch
import triton
import triton.language as tl

CONFIGURATIONS = [triton.Config({"BLOCK": block}, num_warps=warps) for block in (256, 1024) for warps in (4, 8)]


@triton.autotune(CONFIGURATIONS, key=["rows", "columns"])
@triton.jit
def rms_norm(x, out, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * columns + at, at < columns, 0.0)
        total += value * value
    scale = 1 / tl.sqrt(tl.sum(total) / columns + 1e-6)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * columns + at, at < columns, 0.0)
        tl.store(out + row * columns + at, value * scale, at < columns)


for rows in [512] * 8 + [300, 301, 302, 303, 304]:
    x = torch.randn(rows, 4096, device="cuda")
    out = torch.empty_like(x)
    rms_norm[(rows,)](x, out, rows, 4096)  # finding: kernel-searched
torch.testing.assert_close(out, torch.nn.functional.rms_norm(x, (4096,), eps=1e-6))
