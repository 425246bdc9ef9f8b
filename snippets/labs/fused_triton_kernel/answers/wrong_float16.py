# rounding steps away

import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def kernel(out_ptr, x_ptr, bias_ptr, residual_ptr, n, columns, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask)
    bias = tl.load(bias_ptr + offsets % columns, mask)
    residual = tl.load(residual_ptr + offsets, mask)
    v = x + bias
    u = 0.7978845608 * (v + 0.044715 * v * v * v)
    gelu = v / 2 * (1 + (2 * tl.sigmoid((2 * u).to(tl.float32)).to(x.dtype) - 1))
    tl.store(out_ptr + offsets, residual + gelu, mask)


def fused(out, x, bias, residual):
    """Write residual + gelu(x + bias) into `out`."""
    n = x.numel()
    kernel[(triton.cdiv(n, BLOCK),)](out, x, bias, residual, n, x.shape[1], BLOCK=BLOCK)
