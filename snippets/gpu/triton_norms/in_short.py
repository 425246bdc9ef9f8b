# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""RMSNorm in Triton: each program reads one row once."""

# region program
import os

os.environ["TRITON_INTERPRET"] = "1"  # on the CPU: leave it out on a GPU

import torch
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    at = tl.program_id(0) * columns + column
    x = tl.load(x_ptr + at, column < columns, other=0.0).to(tl.float32)
    mean_square = tl.sum(x * x, axis=0) / columns
    tl.store(out_ptr + at, x * tl.rsqrt(mean_square + 1e-6), column < columns)


x, out = torch.randn(2, 7, 1000)
rms_norm_kernel[(7,)](x, out, 1000, BLOCK=1024)
print(torch.allclose(out, torch.rms_norm(x, (1000,), eps=1e-6), atol=1e-5))
# endregion

# region checks
torch.testing.assert_close(out, torch.rms_norm(x, (1000,), eps=1e-6))
# endregion
