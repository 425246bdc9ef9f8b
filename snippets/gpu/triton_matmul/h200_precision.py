# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""float32 inputs: tl.dot rounds them to tf32 unless you ask for more."""

import torch
import triton
import triton.language as tl
from triton.testing import do_bench

from compile_lessons import Table, show


@triton.jit
def product_kernel(a_ptr, b_ptr, out_ptr, N, PRECISION: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0) * B + tl.arange(0, B)[:, None]
    column = tl.program_id(1) * B + tl.arange(0, B)[None, :]
    total = tl.zeros((B, B), tl.float32)
    for k in range(0, N, 32):
        a = tl.load(a_ptr + row * N + k + tl.arange(0, 32)[None, :])
        b = tl.load(b_ptr + (k + tl.arange(0, 32)[:, None]) * N + column)
        total = tl.dot(a, b, total, input_precision=PRECISION)
    tl.store(out_ptr + row * N + column, total)


N = 2048
a, b = torch.randn(2, N, N, device="cuda")
out, exact = torch.empty_like(a), a.double() @ b.double()
rows, errors = [], {}
for precision in ("tf32", "tf32x3", "ieee"):
    call = lambda precision=precision: product_kernel[(N // 64, N // 64)](a, b, out, N, precision, 64)  # noqa: E731
    milliseconds = do_bench(call, return_mode="median")
    errors[precision] = ((out - exact).norm() / exact.norm()).item()
    rows.append([precision, f"{errors[precision]:.1e}", f"{2 * N**3 / milliseconds / 1e9:.0f} TFLOP/s"])
eager = ((a @ b - exact).norm() / exact.norm()).item()
show(Table(["input_precision", "relative error", "rate"], [*rows, ["eager, a @ b", f"{eager:.1e}", ""]]))
# region checks
assert errors["tf32"] > 50 * eager and errors["ieee"] < 10 * eager
# endregion
