# /// lesson
# needs = ["triton"]
# ///
"""Flash attention in halves: one multiplies while the other takes exponentials."""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def softmax_step(scores, biggest, total, result, scale):
    new = tl.maximum(biggest, tl.max(scores, axis=1) * scale)
    weights = tl.exp2(scores * scale - new[:, None])
    shrink = tl.exp2(biggest - new)
    total = total * shrink + tl.sum(weights, axis=1)
    return weights, new, total, result * shrink[:, None]


@triton.jit
def halves_kernel(
    q, k, v, out, length, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr
):
    start = (tl.num_programs(0) - 1 - tl.program_id(0)) * 2 * BM
    head = tl.program_id(1) * length
    upper = start + tl.arange(0, BM)[:, None]
    key = tl.arange(0, BN)[None, :]
    queries0 = q.load([head + start, 0])
    queries1 = q.load([head + start + BM, 0])
    biggest0 = tl.full((BM,), -float("inf"), tl.float32)
    biggest1 = biggest0
    total0 = tl.zeros((BM,), tl.float32)
    total1 = total0
    result0 = tl.zeros((BM, D), tl.float32)
    result1 = result0
    for masked in tl.static_range(2):
        begin = start * masked
        end = start + 2 * BM * masked
        # region loop
        for first in range(begin, end, BN):
            keys = k.load([head + first, 0]).T
            scores0 = tl.dot(queries0, keys)
            scores1 = tl.dot(queries1, keys)
            values = v.load([head + first, 0])
            if masked:
                scores0 = tl.where(upper >= first + key, scores0, -1e30)
                scores1 = tl.where(upper + BM >= first + key, scores1, -1e30)
            weights, biggest0, total0, result0 = softmax_step(
                scores0, biggest0, total0, result0, scale
            )
            result0 = tl.dot(weights.to(values.dtype), values, result0)
            weights, biggest1, total1, result1 = softmax_step(
                scores1, biggest1, total1, result1, scale
            )
            result1 = tl.dot(weights.to(values.dtype), values, result1)
        # endregion
    out.store([head + start, 0], (result0 / total0[:, None]).to(out.dtype))
    out.store([head + start + BM, 0], (result1 / total1[:, None]).to(out.dtype))


def attention_in_halves(q, k, v, BM=64, BN=64):
    """Return causal attention for contiguous tensors (batch, heads, length, D).

    The length is a multiple of twice ``BM`` and of ``BN``.
    """
    out = torch.empty_like(q)
    batch, heads, length, D = q.shape
    blocks = [(q, BM), (k, BN), (v, BN), (out, BM)]
    described = [
        TensorDescriptor.from_tensor(x.view(-1, D), [rows, D]) for x, rows in blocks
    ]
    scale = D**-0.5 * 1.4426950408889634  # log2(e), as the kernel has powers of two
    grid = (length // BM // 2, batch * heads)
    halves_kernel[grid](*described, length, scale, D, BM, BN, num_warps=4, num_stages=2)
    return out
