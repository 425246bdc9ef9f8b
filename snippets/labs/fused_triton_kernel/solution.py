# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# data = ["checks.py", "lab.toml"]
# ///
"""Write a fused Triton kernel: residual + gelu(x + bias), with the tanh form of
GELU.

1. `kernel`: for one block, load `x`, `bias` and `residual`, compute in
   float32, and store the result.
2. `fused`: launch the kernel once, with one program per block of the matrix.

    gelu(v) = v / 2 * (1 + tanh(u))
    u = 0.7978845608 * (v + 0.044715 * v**3)
    tanh(u) = 2 * sigmoid(2 * u) - 1

`x`, `residual` and `out` are contiguous matrices of any size, and `bias` has
one element per column. All four have the same dtype, float32 or float16. The
checks run the kernel in Triton's interpreter, on the CPU.
"""

import triton
import triton.language as tl

from compile_lessons.labs import check

BLOCK = 1024


@triton.jit
def kernel(out_ptr, x_ptr, bias_ptr, residual_ptr, n, columns, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask).to(tl.float32)
    bias = tl.load(bias_ptr + offsets % columns, mask).to(tl.float32)
    residual = tl.load(residual_ptr + offsets, mask).to(tl.float32)
    v = x + bias
    u = 0.7978845608 * (v + 0.044715 * v * v * v)
    gelu = v / 2 * (1 + (2 * tl.sigmoid(2 * u) - 1))
    tl.store(out_ptr + offsets, residual + gelu, mask)


def fused(out, x, bias, residual):
    """Write residual + gelu(x + bias) into `out`."""
    n = x.numel()
    kernel[(triton.cdiv(n, BLOCK),)](out, x, bias, residual, n, x.shape[1], BLOCK=BLOCK)


if __name__ == "__main__":
    check("fused_triton_kernel", __file__)
