# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A Triton kernel as an operator: Inductor launches the kernel unchanged, between its own kernels."""

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
    gate, up = tl.load(gate_ptr + at, at < n).to(tl.float32), tl.load(up_ptr + at, at < n)
    tl.store(out_ptr + at, gate * tl.sigmoid(gate) * up, at < n)


@triton_op("lesson::silu_mul", mutates_args={})
def silu_mul(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    gate, up = gate.contiguous(), up.contiguous()  # the kernel knows no strides
    out = torch.empty_like(gate)
    wrap_triton(silu_mul_kernel)[(triton.cdiv(gate.numel(), 1024),)](gate, up, out, gate.numel(), BLOCK=1024)
    return out


# endregion
(graph,) = capture(lambda x, y: silu_mul(x + 1, y) * 2, target="h200", machine_code=False)(*torch.randn(2, 4096)).graphs
show(graph.dynamo)
launches = re.findall(r"(\w+)\.run\(", graph.inductor[0].output_code)
print("\nlaunches:", ", ".join(launches))
# region checks
assert len(launches) == 3 and launches[1].startswith("silu_mul_kernel")
# endregion
