# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 300
# ///
"""What each choice of the code generator is worth on an H200."""

from functools import partial

import torch

# private: what TORCH_LOGS=output_code prints, as a string
from torch._inductor.utils import run_and_get_code
from triton.testing import do_bench

from compile_lessons import Table, show


def softmax(x, y):
    return torch.softmax(x, -1)


def sum_all(x, y):
    return x.sum()


def add_transposed(x, y):
    return x + y.t()


def milliseconds(function, *inputs):
    return do_bench(partial(function, *inputs), return_mode="median")


square = torch.rand(16384, 16384, device="cuda")
rows_of_1024 = torch.rand(2**17, 1024, device="cuda")
cases = [
    (softmax, rows_of_1024, {}),
    (softmax, rows_of_1024, {"triton.persistent_reductions": False}),
    (sum_all, square, {}),
    (sum_all, square, {"split_reductions": False}),
    (sum_all, square, {"triton.cooperative_reductions": True}),
    (add_transposed, square, {}),
    (add_transposed, square, {"triton.max_tiles": 1}),
]
rows = []
for function, x, options in cases:
    torch.compiler.reset()
    compiled = torch.compile(function, options=options)
    result, [code] = run_and_get_code(compiled, x, x)
    torch.testing.assert_close(result, function(x, x), rtol=1e-3, atol=1e-6)
    kernels = code.count("async_compile.triton(")
    ms = milliseconds(compiled, x, x)
    setting = ", ".join(f"{name} = {value}" for name, value in options.items())
    rows.append([function.__name__, setting, kernels, f"{ms:.3f} ms"])
show(Table(["function", "setting", "kernels", "a call"], rows))
# region checks
assert [row[2] for row in rows] == [1, 1, 2, 1, 1, 1, 1]
# endregion
