# /// lesson
# needs = ["gpu", "triton"]
# memory = 8192
# env = {PYTHONWARNINGS = "ignore"}
# ///
"""Complex numbers on an H200: operators of complex tensors, and of their two parts."""

from functools import partial

import torch
from torch._inductor import metrics  # private: torch has no public count of kernels
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show


def product(x, factor):
    return x * factor


def product_real(x, factor):
    a, b = torch.view_as_real(x).unbind(-1)
    c, d = torch.view_as_real(factor).unbind(-1)
    return torch.view_as_complex(torch.stack([a * c - b * d, a * d + b * c], -1))


def chain(x, factor):
    return ((x * factor + factor).abs() + 1e-6).log()


def chain_real(x, factor):
    a, b = torch.view_as_real(x).unbind(-1)
    c, d = torch.view_as_real(factor).unbind(-1)
    real = a * c - b * d + c
    imaginary = a * d + b * c + d
    return (torch.sqrt(real**2 + imaginary**2) + 1e-6).log()


def microseconds(function, *arguments):
    call = partial(function, *arguments)
    return do_bench_cudagraph(call, rep=50, return_mode="median") * 1e3


x, factor = torch.randn(2, 8192, 4096, dtype=torch.complex64, device="cuda")
rows = []
ratios = []
pairs = (
    (product, product),
    (product, product_real),
    (chain, chain),
    (chain, chain_real),
)
for eager, function in pairs:
    # private: the count begins anew
    metrics.reset()
    compiled = torch.compile(function)
    result = compiled(x, factor)
    torch.testing.assert_close(result, eager(x, factor), rtol=1e-3, atol=1e-3)
    eager_us = microseconds(eager, x, factor)
    compiled_us = microseconds(compiled, x, factor)
    ratios.append(compiled_us / eager_us)
    # private: see above
    kernels = metrics.generated_kernel_count
    times = [f"{eager_us:,.0f} µs", f"{compiled_us:,.0f} µs", f"{ratios[-1]:.2f}"]
    rows.append([function.__name__, kernels, *times])
columns = ["function", "kernels generated", "eager", "compiled", "compiled / eager"]
show(Table(columns, rows))
product_ratio, product_real_ratio, chain_ratio, chain_real_ratio = ratios
