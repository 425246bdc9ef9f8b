# /// lesson
# needs = ["gpu", "triton"]
# memory = 8192
# env = {PYTHONWARNINGS = "ignore"}
# ///
"""Complex numbers on an H200: the functions of complex_numbers.py."""

from functools import partial

import torch
from complex_numbers import PAIRS
from torch._inductor import metrics
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show

(x, factor), rows, ratios = torch.randn(2, 8192, 4096, dtype=torch.complex64, device="cuda").unbind(), [], []
for eager, function in PAIRS:
    metrics.reset()
    compiled = torch.compile(function)
    torch.testing.assert_close(compiled(x, factor), eager(x, factor), rtol=1e-3, atol=1e-3)
    us = [do_bench_cudagraph(partial(run, x, factor), rep=50, return_mode="median") * 1e3 for run in (eager, compiled)]
    ratios.append(us[1] / us[0])
    rows.append(
        [function.__name__, metrics.generated_kernel_count, *(f"{time:,.0f} µs" for time in us), f"{ratios[-1]:.2f}"]
    )
show(Table(["function", "kernels generated", "eager", "compiled", "compiled / eager"], rows))
product_ratio, product_real_ratio, chain_ratio, chain_real_ratio = ratios
