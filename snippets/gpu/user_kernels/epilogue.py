# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A setting of torch 2.13 that is off by default: Inductor writes what follows into your kernel."""

import re

import torch
import torch._inductor.config
import triton
import triton.language as tl
from torch.library import triton_op, wrap_triton

from compile_lessons import capture


@triton.jit
def silu_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, at < n)
    tl.store(out_ptr + at, x * tl.sigmoid(x), at < n)


@triton_op("lesson::silu", mutates_args={})
def silu(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    wrap_triton(silu_kernel)[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
    return out


launches = {}
for setting in (False, True):
    torch._inductor.config.epilogue_fusion_user_defined_triton_kernel = setting
    (graph,) = capture(lambda x: silu(x) * 2, target="h200", machine_code=False)(torch.randn(4096)).graphs
    code = graph.inductor[0].output_code
    launches[setting] = re.findall(r"(\w+)\.run\(", code)
    print(f"{setting}: {launches[setting]}")
print(code[code.index("def silu_kernel") : code.index("''', device_str")])
# region checks
assert len(launches[False]) == 2 and len(launches[True]) == 1
# endregion
