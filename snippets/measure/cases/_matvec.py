"""A matrix-vector product in Triton, with what surrounds it in a decoder layer."""

import torch
import triton
import triton.language as tl

CONFIGS = [
    triton.Config({"ROWS": rows, "BLOCK": block}, num_warps=warps)
    for rows, block, warps in ((1, 4096, 4), (2, 2048, 4), (4, 2048, 8))
]


@triton.autotune(CONFIGS, key=["N", "K", "NORM", "SWIGLU", "INT8"])
@triton.jit
def matvec_kernel(
    x, gain, weight, scale, residual, out,
    N, K: tl.constexpr, NORM: tl.constexpr, SWIGLU: tl.constexpr,
    RESIDUAL: tl.constexpr, INT8: tl.constexpr,
    ROWS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Compute ROWS rows. SWIGLU: row i is of the gate, row N + i of up."""
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    places = rows[:, None] * K
    sums = tl.zeros((ROWS, BLOCK), tl.float32)
    more = tl.zeros((ROWS, BLOCK), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in tl.static_range(0, K, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        inside = columns < K
        value = tl.load(x + columns, inside, 0.0).to(tl.float32)
        if NORM:
            squares += value * value
            value *= tl.load(gain + columns, inside, 0.0).to(tl.float32)
        at = weight + places + columns[None, :]
        w = tl.load(at, inside[None, :], 0.0, eviction_policy="evict_first")
        sums += w.to(tl.float32) * value[None, :]
        if SWIGLU:
            w = tl.load(at + N * K, inside[None, :], 0.0, eviction_policy="evict_first")
            more += w.to(tl.float32) * value[None, :]
    factor = 1.0
    if NORM:
        factor = tl.rsqrt(tl.sum(squares, 0) / K + 1e-5)
    y = tl.sum(sums, 1) * factor
    if INT8:
        y *= tl.load(scale + rows)
    if SWIGLU:
        up = tl.sum(more, 1) * factor
        if INT8:
            up *= tl.load(scale + N + rows)
        y = y * tl.sigmoid(y) * up
    if RESIDUAL:
        y += tl.load(residual + rows).to(tl.float32)
    tl.store(out + rows, y.to(out.dtype.element_ty))


def matvec(x, weight, gain=None, residual=None, swiglu=False, scale=None):
    """Return ``weight @ x`` for one token ``x``.

    ``gain`` stands for its RMSNorm, and ``scale`` for int8 weights.
    """
    rows, width = weight.shape
    rows //= 1 + swiglu
    out = torch.empty(rows, device=x.device, dtype=x.dtype)
    flags = {
        "NORM": gain is not None,
        "SWIGLU": swiglu,
        "RESIDUAL": residual is not None,
        "INT8": scale is not None,
    }
    parts = [x if part is None else part for part in (gain, weight, scale, residual)]

    def grid(config):
        return (rows // config["ROWS"],)

    matvec_kernel[grid](x, *parts, out, rows, width, **flags)
    return out
