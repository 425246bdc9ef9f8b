# /// lesson
# needs = ["triton"]
# ///
"""A product of float32 matrices; b's strides say if it lies by rows or by columns."""

import triton
import triton.language as tl


@triton.jit
def product_kernel(
    a_ptr, b_ptr, out_ptr, N, down, across, PRECISION: tl.constexpr, B: tl.constexpr
):
    row = tl.program_id(0) * B + tl.arange(0, B)[:, None]
    column = tl.program_id(1) * B + tl.arange(0, B)[None, :]
    total = tl.zeros((B, B), tl.float32)
    for k in range(0, N, 32):
        a = tl.load(a_ptr + row * N + k + tl.arange(0, 32)[None, :])
        b = tl.load(b_ptr + (k + tl.arange(0, 32)[:, None]) * down + column * across)
        total = tl.dot(a, b, total, input_precision=PRECISION)
    tl.store(out_ptr + row * N + column, total)
