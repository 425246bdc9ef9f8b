# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A Triton kernel as an operator: Inductor launches it unchanged, between its own."""

import re

import torch
import triton
import triton.language as tl
from torch.library import triton_op, wrap_triton

from compile_lessons import capture, show


# region operator
@triton.jit
def silu_mul_kernel(gate_ptr, up_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    gate = tl.load(gate_ptr + at, at < n).to(tl.float32)
    up = tl.load(up_ptr + at, at < n)
    tl.store(out_ptr + at, gate * tl.sigmoid(gate) * up, at < n)


@triton_op("lesson::silu_mul", mutates_args={})
def silu_mul(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    gate = gate.contiguous()  # the kernel knows no strides
    up = up.contiguous()
    out = torch.empty_like(gate)
    n = gate.numel()
    grid = (triton.cdiv(n, 1024),)
    wrap_triton(silu_mul_kernel)[grid](gate, up, out, n, BLOCK=1024)
    return out


# endregion
def feed_forward(x, y):
    return silu_mul(x + 1, y) * 2


x, y = torch.randn(2, 4096)
[graph] = capture(feed_forward, target="h200", machine_code=False)(x, y).graphs
show(graph.dynamo)
launches = re.findall(r"(\w+)\.run\(", graph.inductor[0].output_code)
print("\nlaunches:", ", ".join(launches))
# region checks
assert len(launches) == 3
assert launches[1].startswith("silu_mul_kernel")
# endregion
