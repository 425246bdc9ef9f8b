# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""triton_op lets the compiler see the kernel; custom_op hides it, and needs a fake kernel that describes the result."""

import re

import torch
import triton
import triton.language as tl
from torch.library import custom_op, triton_op, wrap_triton

from compile_lessons import Table, capture, show


@triton.jit
def double_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, 2 * tl.load(x_ptr + at, at < n), at < n)


@triton_op("lesson::visible", mutates_args={})
def visible(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    wrap_triton(double_kernel)[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
    return out


@custom_op("lesson::hidden", mutates_args={})
def hidden(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    double_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
    return out


hidden.register_fake(torch.empty_like)
rows = []
for name, operator in {"triton_op": visible, "custom_op": hidden}.items():
    (graph,) = capture(lambda x, f=operator: f(x + 1), target="h200", machine_code=False)(torch.randn(4096)).graphs
    code = graph.inductor[0].output_code.partition("def call(")[2]
    calls = re.findall(r"triton_\w+|double_kernel\w+|torch\.ops\.lesson\.\w+(?=\.default\()", code)
    rows.append([name, ", ".join(calls)])
show(Table(["registered with", "the output code calls"], rows))
# region checks
assert "double_kernel" in rows[0][1] and "torch.ops.lesson.hidden" in rows[1][1]
# endregion
