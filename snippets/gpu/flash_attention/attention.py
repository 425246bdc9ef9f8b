# /// lesson
# needs = ["triton"]
# ///
"""Causal flash attention, forward: a program takes the keys block by block."""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


# region queries
@triton.jit
def attention_kernel(
    q, k, v, out, length, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr
):
    start = (tl.num_programs(0) - 1 - tl.program_id(0)) * BM
    head = tl.program_id(1) * length
    query = start + tl.arange(0, BM)[:, None]
    key = tl.arange(0, BN)[None, :]
    queries = q.load([head + start, 0])
    biggest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    result = tl.zeros((BM, D), tl.float32)
    # endregion
    # region keys
    for masked in tl.static_range(2):
        # first the blocks left of the diagonal, then those on it, with the mask
        begin = start * masked
        end = start + BM * masked
        for first in range(begin, end, BN):
            scores = tl.dot(queries, k.load([head + first, 0]).T)
            if masked:
                scores = tl.where(query >= first + key, scores, -float("inf"))
            new = tl.maximum(biggest, tl.max(scores, axis=1) * scale)
            weights = tl.exp2(scores * scale - new[:, None])
            shrink = tl.exp2(biggest - new)
            total = total * shrink + tl.sum(weights, axis=1)
            values = v.load([head + first, 0])
            result = tl.dot(weights.to(values.dtype), values, result * shrink[:, None])
            biggest = new
    out.store([head + start, 0], (result / total[:, None]).to(out.dtype))
    # endregion


# region launch
def attention(q, k, v, BM=128, BN=128, num_warps=8, num_stages=2, maxnreg=None):
    """Return causal attention for contiguous tensors (batch, heads, length, D).

    The length is a multiple of both blocks.
    """
    out = torch.empty_like(q)
    batch, heads, length, D = q.shape
    blocks = [(q, BM), (k, BN), (v, BN), (out, BM)]
    described = [
        TensorDescriptor.from_tensor(x.view(-1, D), [rows, D]) for x, rows in blocks
    ]
    options = {"num_warps": num_warps, "num_stages": num_stages, "maxnreg": maxnreg}
    scale = D**-0.5 * 1.4426950408889634  # log2(e), as the kernel has powers of two
    grid = (length // BM, batch * heads)
    attention_kernel[grid](*described, length, scale, D, BM, BN, **options)
    return out


# endregion
