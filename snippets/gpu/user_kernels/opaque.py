# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""triton_op lets the compiler see the kernel; custom_op hides it."""

import re

import torch
import triton
import triton.language as tl
from torch.library import custom_op, triton_op, wrap_triton

from compile_lessons import Table, capture, show


# region operators
@triton.jit
def double_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, 2 * tl.load(x_ptr + at, at < n), at < n)


@triton_op("lesson::visible", mutates_args={})
def visible(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    wrap_triton(double_kernel)[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
    return out


@custom_op("lesson::hidden", mutates_args={})
def hidden(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    n = x.numel()
    double_kernel[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
    return out


hidden.register_fake(torch.empty_like)  # describes the result
# endregion
CALLS = r"triton_\w+|double_kernel\w+|torch\.ops\.lesson\.\w+(?=\.default\()"
rows = []
for name, operator in {"triton_op": visible, "custom_op": hidden}.items():
    captured = capture(
        lambda x, f=operator: f(x + 1), target="h200", machine_code=False
    )
    [graph] = captured(torch.randn(4096)).graphs
    code = graph.inductor[0].output_code.partition("def call(")[2]
    rows.append([name, ", ".join(re.findall(CALLS, code))])
show(Table(["registered with", "the output code calls"], rows))
# region checks
assert "double_kernel" in rows[0][1]
assert "torch.ops.lesson.hidden" in rows[1][1]
# endregion
