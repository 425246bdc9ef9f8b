# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""float32 inputs: tl.dot rounds them to tf32, and tf32 wants b by columns."""

import torch
from product import product_kernel
from triton.testing import do_bench

from compile_lessons import Table, show

N = 4096
a, b = torch.randn(2, N, N, device="cuda")
out = torch.empty_like(a)
exact = a.double() @ b.double()


def error_of(result):
    return ((result - exact).norm() / exact.norm()).item()


def rate_of(call):
    """Return teraflops."""
    return 2 * N**3 / do_bench(call, return_mode="median") / 1e9


def by_hand(weight, precision):
    grid = (N // 128, N // 128)
    strides = weight.stride()
    product_kernel[grid](a, weight, out, N, *strides, precision, 128, num_warps=8)


rows = []
errors = {}
rates = {}
for order, weight in {"rows": b, "columns": b.T.contiguous().T}.items():
    for precision in ("tf32", "tf32x3", "ieee"):
        rate = rate_of(
            lambda weight=weight, precision=precision: by_hand(weight, precision)
        )
        rates[precision, order] = rate
        errors[precision] = error_of(out)
        rows.append(
            [precision, order, f"{errors[precision]:.1e}", f"{rate:.0f} TFLOP/s"]
        )
for allowed, name in ((False, "as it is"), (True, "tf32 allowed")):
    torch.backends.cuda.matmul.allow_tf32 = allowed
    rates[name] = rate_of(lambda: a @ b)
    errors[name] = error_of(a @ b)
    cells = [f"{errors[name]:.1e}", f"{rates[name]:.0f} TFLOP/s"]
    rows.append([f"eager, a @ b, {name}", "rows", *cells])
show(Table(["input_precision", "b lies by", "relative error", "rate"], rows))
# region checks
tf32_gain = rates["tf32", "columns"] / rates["tf32", "rows"]
tf32_share = rates["tf32", "columns"] / rates["tf32 allowed"]
assert errors["tf32"] > 50 * errors["as it is"]
assert errors["ieee"] < 10 * errors["as it is"]
assert tf32_gain > 2
# endregion
