# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A setting of torch 2.13 that is off by default: what follows joins your kernel."""

import re

import torch
import triton
import triton.language as tl
from torch._inductor import config
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
    n = x.numel()
    wrap_triton(silu_kernel)[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
    return out


def twice_silu(x):
    return silu(x) * 2


launches = {}
for setting in (False, True):
    config.epilogue_fusion_user_defined_triton_kernel = setting
    pipeline = capture(twice_silu, target="h200", machine_code=False)(torch.randn(4096))
    code = pipeline.graphs[0].inductor[0].output_code
    launches[setting] = re.findall(r"(\w+)\.run\(", code)
    print(f"{setting}: {launches[setting]}")
print(code[code.index("def silu_kernel") : code.index("''', device_str")])
# region checks
assert len(launches[False]) == 2
assert len(launches[True]) == 1
# endregion
