# /// lesson
# needs = ["triton"]
# ///
"""Matrix product in Triton: each program computes one tile of the result."""

import torch
import triton
import triton.language as tl


# region kernel
@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, out_ptr, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    tile = tl.program_id(0)
    i, j = tl.swizzle2d(tile // tiles_n, tile % tiles_n, tiles_m, tiles_n, GROUP)
    row = i * BM + tl.arange(0, BM)[:, None]
    column = j * BN + tl.arange(0, BN)[None, :]
    inner_a = tl.arange(0, BK)[None, :]
    inner_b = tl.arange(0, BK)[:, None]
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        inside_a = (row < M) & (k + inner_a < K)
        inside_b = (column < N) & (k + inner_b < K)
        a = tl.load(a_ptr + row * K + (k + inner_a), inside_a, other=0.0)
        b = tl.load(b_ptr + (k + inner_b) * N + column, inside_b, other=0.0)
        total = tl.dot(a, b, total)
    tl.store(out_ptr + row * N + column, total, (row < M) & (column < N))


# endregion
# region launch
def matmul(a, b, BM=128, BN=256, BK=64, GROUP=8, num_warps=8, num_stages=4):
    """Return ``a @ b`` for contiguous matrices."""
    M, K = a.shape
    N = b.shape[1]
    out = torch.empty(M, N, dtype=a.dtype, device=a.device)
    grid = (triton.cdiv(M, BM) * triton.cdiv(N, BN),)
    options = {"num_warps": num_warps, "num_stages": num_stages}
    matmul_kernel[grid](a, b, out, M, N, K, BM, BN, BK, GROUP, **options)
    return out


# endregion
