# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {PYTHONWARNINGS = "ignore"}
# ///
"""A float8 layer on an H100: times of its kernels and of the conversion alone."""

from functools import partial

import torch
from float8_layer import Float8Linear, to_float8
from torch import nn
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show


def microseconds(function, x):
    return do_bench_cudagraph(partial(function, x), rep=50, return_mode="median") * 1e3


linear = nn.Linear(8192, 8192, bias=False, dtype=torch.bfloat16, device="cuda")
layer = Float8Linear(linear)
table = []
ratios = []
for rows in (16, 1024, 16384):
    x = torch.randn(rows, 8192, dtype=torch.bfloat16, device="cuda")
    torch.compiler.reset()
    compiled = torch.compile(layer, dynamic=False)
    convert = torch.compile(to_float8, dynamic=False)
    torch.testing.assert_close(compiled(x), layer(x), rtol=0.02, atol=0.02)
    times = [
        microseconds(call, x) for call in (linear, layer, compiled, to_float8, convert)
    ]
    ratios.append(times[0] / times[2])
    table.append(
        [f"{rows:,}", *(f"{time:,.0f}" for time in times), f"{ratios[-1]:.2f}"]
    )
calls = ["bfloat16", "float8, eager", "float8, compiled"]
calls += ["conversion, eager", "conversion, compiled"]
columns = [f"{name}, µs" for name in calls]
show(Table(["rows", *columns, "bfloat16 / compiled"], table))
few_rows, some_rows, many_rows = ratios
*_, conversion_eager, conversion_compiled = times
# region checks
assert min(ratios) > 1
assert conversion_eager > 3 * conversion_compiled
# endregion
