# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""float32 inputs: tl.dot rounds them to tf32 unless you ask for more, and tf32 wants b by columns."""

import torch
from product import product_kernel
from triton.testing import do_bench

from compile_lessons import Table, show

N = 4096
a, b = torch.randn(2, N, N, device="cuda")
out, exact = torch.empty_like(a), a.double() @ b.double()
rows, errors, rates = [], {}, {}
for order, weight in {"rows": b, "columns": b.T.contiguous().T}.items():
    for precision in ("tf32", "tf32x3", "ieee"):
        arguments = (a, weight, out, N, *weight.stride(), precision, 128)
        call = lambda arguments=arguments: product_kernel[(N // 128, N // 128)](*arguments, num_warps=8)  # noqa: E731
        rates[precision, order] = 2 * N**3 / do_bench(call, return_mode="median") / 1e9
        errors[precision] = ((out - exact).norm() / exact.norm()).item()
        rows.append([precision, order, f"{errors[precision]:.1e}", f"{rates[precision, order]:.0f} TFLOP/s"])
for allowed in (False, True):
    torch.backends.cuda.matmul.allow_tf32 = allowed
    errors[allowed] = ((a @ b - exact).norm() / exact.norm()).item()
    rates[allowed] = 2 * N**3 / do_bench(lambda: a @ b, return_mode="median") / 1e9
    name = f"eager, a @ b, {'tf32 allowed' if allowed else 'as it is'}"
    rows.append([name, "rows", f"{errors[allowed]:.1e}", f"{rates[allowed]:.0f} TFLOP/s"])
show(Table(["input_precision", "b lies by", "relative error", "rate"], rows))
# region checks
tf32_gain = rates["tf32", "columns"] / rates["tf32", "rows"]
tf32_share = rates["tf32", "columns"] / rates[True]
assert errors["tf32"] > 50 * errors[False] and errors["ieee"] < 10 * errors[False]
assert tf32_gain > 2
# endregion
