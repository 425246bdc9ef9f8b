# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""A Triton kernel in a compiled function: no graph break, and no fusion."""

import re
from functools import partial

import torch
import triton
import triton.language as tl

# private: torch has no public way to get Inductor's code as a string
from torch._inductor.utils import run_and_get_code
from torch.nn.functional import silu
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show

# region kernel
configs = [triton.Config({"BLOCK": block}, num_warps=8) for block in (1024, 4096)]


@triton.autotune(configs, key=["n"])
@triton.jit
def silu_mul_kernel(gate_ptr, up_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    gate = tl.load(gate_ptr + at, at < n)
    up = tl.load(up_ptr + at, at < n)
    tl.store(out_ptr + at, gate * tl.sigmoid(gate) * up, at < n)


def by_kernel(gate, up):
    out = torch.empty_like(gate)
    n = gate.numel()
    silu_mul_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](gate, up, out, n)
    return out * 2


def plain(gate, up):
    return silu(gate) * up * 2


# endregion
gate, up = torch.randn(2, 2**26, device="cuda")
rows = []
times = []
for function in (by_kernel, plain):
    compiled = torch.compile(function, fullgraph=True)
    _, [code] = run_and_get_code(compiled, gate, up)
    kernels = ", ".join(re.findall(r"(\w+)\.run\(", code))
    ms = do_bench_cudagraph(partial(compiled, gate, up), rep=5, return_mode="median")
    times.append(ms * 1e3)
    rows.append([function.__name__, kernels, f"{times[-1]:.0f} µs"])
show(Table(["function", "kernels in the output code", "time"], rows))
kernel_us, plain_us = times
# region checks
torch.testing.assert_close(torch.compile(by_kernel)(gate, up), plain(gate, up))
assert rows[0][1].count(",") == 1
assert "," not in rows[1][1]
# endregion
