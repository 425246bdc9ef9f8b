# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 300
# ///
"""Indices of 64 bits: one element more than int32 can count, and what they cost."""

from functools import partial

import torch

# private: what TORCH_LOGS=output_code prints, as a string
from torch._inductor.utils import run_and_get_code
from triton.testing import do_bench

from compile_lessons import Table, show


def scale(x):
    return x * 2 + 1


def add_rolled(x):
    return x + x.roll(1, 0).roll(1, 1)


def milliseconds(function, *inputs):
    return do_bench(partial(function, *inputs), return_mode="median")


rows = []
for function in (scale, add_rolled):
    for count in (2**15 - 1, 2**15 + 1):
        torch.compiler.reset()
        x = torch.ones(count, 2**16, dtype=torch.int8, device="cuda")
        _, [code] = run_and_get_code(torch.compile(function, dynamic=False), x)
        bits = "int64" if "'xnumel': 'i64'" in code else "int32"
        compiled = torch.compile(function, dynamic=False)
        ms = milliseconds(compiled, x)
        rows.append([function.__name__, f"{x.numel():,}", bits, f"{ms:.2f} ms"])
show(Table(["function", "elements", "index", "a call"], rows))
# region checks
assert [row[2] for row in rows] == ["int32", "int64"] * 2
# endregion
