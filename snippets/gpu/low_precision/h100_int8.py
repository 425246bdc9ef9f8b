# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# timeout = 240
# env = {PYTHONWARNINGS = "ignore"}
# ///
"""An int8 layer on an H100: kernel times by rows, option, and order of the weight."""

from contextlib import redirect_stderr
from functools import partial
from io import StringIO

import torch
import torch.nn.functional as F
from int8_layer import Int8Linear
from torch import nn
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show

SIZES = 1, 16, 256, 1024
# private: no errors of candidates that need too much shared memory
torch._logging.set_logs(inductor=50)
linear = nn.Linear(8192, 28672, bias=False, dtype=torch.bfloat16, device="cuda")
layer = Int8Linear(linear)
# in the order of nn.Linear, one row for each output
codes, scale = layer.codes.t().contiguous(), layer.scale
timed = {"max_autotune": True}
cases = {
    "bfloat16, eager": (linear, None),
    "int8, eager": (layer, None),
    "int8, compiled": (layer, {}),
    "int8, coordinate_descent_tuning": (layer, {"coordinate_descent_tuning": True}),
    "int8, max_autotune": (layer, timed),
    "F.linear(x, codes.to(x.dtype)), max_autotune": (
        lambda x: F.linear(x, codes.to(x.dtype)) * scale,
        timed,
    ),
    "x @ codes.t().to(x.dtype), max_autotune": (
        lambda x: x @ codes.t().to(x.dtype) * scale,
        timed,
    ),
}
us = {name: [] for name in cases}
for rows in SIZES:
    x = torch.randn(rows, 8192, dtype=torch.bfloat16, device="cuda")
    for name, (function, options) in cases.items():
        torch.compiler.reset()
        run = (
            function
            if options is None
            else torch.compile(function, options=options, dynamic=False)
        )
        with redirect_stderr(StringIO()):  # without the log of the candidates
            torch.testing.assert_close(run(x), layer(x), rtol=0.05, atol=0.05)
        us[name].append(
            do_bench_cudagraph(partial(run, x), rep=20, return_mode="median") * 1e3
        )
table = [[name, *map("{:,.0f}".format, times)] for name, times in us.items()]
show(Table(["µs, by the number of rows", *map(str, SIZES)], table))
# region checks
bf16, eager, compiled, descent, autotuned, linear_order, transposed = us.values()
one_row, few_rows = bf16[0] / descent[0], bf16[1] / autotuned[1]
slower, many_rows, slowest = (
    compiled[1] / bf16[1],
    compiled[3] / bf16[3],
    transposed[3] / bf16[3],
)
assert (
    one_row > 1 and few_rows > 1 and slower > 2 and linear_order[1] > 2 * autotuned[1]
)
# endregion
