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

# private: no errors of candidates that need too much shared memory
torch._logging.set_logs(inductor=50)
# region functions
linear = nn.Linear(8192, 28672, bias=False, dtype=torch.bfloat16, device="cuda")
layer = Int8Linear(linear)
# in the order of nn.Linear, one row for each output
codes = layer.codes.t().contiguous()
scale = layer.scale


def with_linear(x):
    return F.linear(x, codes.to(x.dtype)) * scale


def with_transpose(x):
    return x @ codes.t().to(x.dtype) * scale


# each with its options; None runs it in eager mode
autotuned = {"max_autotune": True}
cases = {
    "bfloat16, eager": (linear, None),
    "int8, eager": (layer, None),
    "int8, compiled": (layer, {}),
    "int8, coordinate_descent_tuning": (layer, {"coordinate_descent_tuning": True}),
    "int8, max_autotune": (layer, autotuned),
    "F.linear(x, codes.to(x.dtype)), max_autotune": (with_linear, autotuned),
    "x @ codes.t().to(x.dtype), max_autotune": (with_transpose, autotuned),
}
# endregion


# region measure
def prepare(function, options):
    if options is None:
        return function
    torch.compiler.reset()
    return torch.compile(function, options=options, dynamic=False)


def microseconds(function, x):
    """Return the median time of the kernels of a call, which a CUDA graph launches."""
    return do_bench_cudagraph(partial(function, x), rep=20, return_mode="median") * 1e3


ROWS = (1, 16, 256, 1024)
times = {name: [] for name in cases}
for rows in ROWS:
    x = torch.randn(rows, 8192, dtype=torch.bfloat16, device="cuda")
    for name, (function, options) in cases.items():
        run = prepare(function, options)
        with redirect_stderr(StringIO()):  # without the log of the candidates
            torch.testing.assert_close(run(x), layer(x), rtol=0.05, atol=0.05)
        times[name].append(microseconds(run, x))
table = [[name, *(f"{us:,.0f}" for us in times[name])] for name in cases]
show(Table(["µs, by the number of rows", *map(str, ROWS)], table))
# endregion
bfloat16 = times["bfloat16, eager"]
compiled = times["int8, compiled"]
one_row = bfloat16[0] / times["int8, coordinate_descent_tuning"][0]
few_rows = bfloat16[1] / times["int8, max_autotune"][1]
slower = compiled[1] / bfloat16[1]
many_rows = compiled[3] / bfloat16[3]
slowest = times["x @ codes.t().to(x.dtype), max_autotune"][3] / bfloat16[3]
# region checks
linear_order = times["F.linear(x, codes.to(x.dtype)), max_autotune"]
assert one_row > 1
assert few_rows > 1
assert slower > 2
assert linear_order[1] > 2 * times["int8, max_autotune"][1]
# endregion
