# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A Triton kernel as an operator: Inductor launches it unchanged, between its own."""

# region operator
import torch
import triton
import triton.language as tl


@triton.jit
def silu_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, at < n).to(tl.float32)
    tl.store(out_ptr + at, x * tl.sigmoid(x), at < n)


@torch.library.triton_op("lesson::silu", mutates_args={})
def silu(x: torch.Tensor) -> torch.Tensor:
    x = x.contiguous()  # the kernel knows no strides
    out = torch.empty_like(x)
    kernel = torch.library.wrap_triton(silu_kernel)
    kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
    return out


# endregion


# region graph
from compile_lessons import capture, show


def shifted_silu(x):
    return silu(x + 1) * 2


pipeline = capture(shifted_silu, target="h200")(torch.ones(4096))
show(pipeline.graphs[0].dynamo)
print("launches:", *[kernel.name for kernel in pipeline.kernels])
# endregion

# region checks
launches = [kernel.name for kernel in pipeline.kernels]
assert len(launches) == 3
assert launches[1].startswith("silu_kernel")
# endregion
