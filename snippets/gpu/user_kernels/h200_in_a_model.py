# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""A Triton kernel called in a compiled function: no graph break, but nothing is fused into it either."""

import re
from functools import partial

import torch
import triton
import triton.language as tl
from torch._inductor.utils import run_and_get_code
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show


@triton.autotune([triton.Config({"BLOCK": block}, num_warps=8) for block in (1024, 4096)], key=["n"])
@triton.jit
def silu_mul_kernel(gate_ptr, up_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    gate, up = tl.load(gate_ptr + at, at < n), tl.load(up_ptr + at, at < n)
    tl.store(out_ptr + at, gate * tl.sigmoid(gate) * up, at < n)


def by_kernel(gate, up):
    out = torch.empty_like(gate)
    silu_mul_kernel[lambda meta: (triton.cdiv(gate.numel(), meta["BLOCK"]),)](gate, up, out, gate.numel())
    return out * 2


def plain(gate, up):
    return torch.nn.functional.silu(gate) * up * 2


(gate, up), rows, times = torch.randn(2, 2**26, device="cuda"), [], []
for function in (by_kernel, plain):
    compiled = torch.compile(function, fullgraph=True)
    _, (code,) = run_and_get_code(compiled, gate, up)
    times.append(do_bench_cudagraph(partial(compiled, gate, up), rep=5, return_mode="median") * 1e3)
    rows.append([function.__name__, ", ".join(re.findall(r"(\w+)\.run\(", code)), f"{times[-1]:.0f} µs"])
show(Table(["function", "kernels in the output code", "time"], rows))
kernel_us, plain_us = times
# region checks
torch.testing.assert_close(torch.compile(by_kernel)(gate, up), plain(gate, up))
assert rows[0][1].count(",") == 1 and "," not in rows[1][1]
# endregion
