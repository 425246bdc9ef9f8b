# /// lesson
# needs = ["triton"]
# ///
"""Matrix product for Hopper: tensor descriptors, and programs that stay."""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


# region kernel
@triton.jit
def matmul_kernel(
    a, b, out, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
    GROUP: tl.constexpr, RELU: tl.constexpr,
):  # fmt: skip
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    tiles = tiles_m * tiles_n
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), flatten=True):
        i, j = tl.swizzle2d(tile // tiles_n, tile % tiles_n, tiles_m, tiles_n, GROUP)
        total = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            total = tl.dot(a.load([i * BM, k]), b.load([k, j * BN]), total)
        if RELU:
            total = tl.maximum(total, 0.0)
        out.store([i * BM, j * BN], total.to(out.dtype))


# endregion


# region launch
def matmul(
    a, b, relu=False, programs=132,
    BM=128, BN=256, BK=64, GROUP=8, num_warps=8, num_stages=3,
):  # fmt: skip
    """Return ``a @ b`` for contiguous matrices, with ReLU if asked for."""
    M, K = a.shape
    N = b.shape[1]
    out = torch.empty(M, N, dtype=a.dtype, device=a.device)
    blocks = [(a, [BM, BK]), (b, [BK, BN]), (out, [BM, BN])]
    described = [
        TensorDescriptor.from_tensor(tensor, block) for tensor, block in blocks
    ]
    grid = (min(programs, triton.cdiv(M, BM) * triton.cdiv(N, BN)),)
    options = {"num_warps": num_warps, "num_stages": num_stages}
    matmul_kernel[grid](*described, M, N, K, BM, BN, BK, GROUP, relu, **options)
    return out


# endregion
