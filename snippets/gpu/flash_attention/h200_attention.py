# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 180
# ///
"""Causal attention on an H200: configurations of the kernel, and torch's operators."""

from functools import partial

import torch
from attention import attention
from halves import attention_in_halves
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as sdpa
from triton.testing import do_bench

from compile_lessons import Table, show


def teraflops(function, q, k, v):
    call = partial(function, q, k, v)
    ms = do_bench(call, warmup=10, rep=50, return_mode="median")
    # two products of two operations each, half of them masked
    return 2 * q.numel() * q.shape[2] / ms / 1e9


def flash(q, k, v):
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        return sdpa(q, k, v, is_causal=True)


def inputs(length):
    """Return 16,384 tokens in sequences of one length."""
    shape = (16384 // length, 16, length, 128)
    return [torch.randn(shape, device="cuda", dtype=torch.bfloat16) for _ in range(3)]


settings = [
    (128, 128, 8, 2, None),
    (128, 64, 8, 3, None),
    (128, 64, 8, 2, 128),
    (64, 64, 4, 2, None),
]
q, k, v = inputs(8192)
rates = {}
for setting in settings:
    BM, BN, warps, stages, maxnreg = setting
    options = {"BM": BM, "BN": BN, "num_warps": warps, "num_stages": stages}
    candidate = partial(attention, **options, maxnreg=maxnreg)
    rates[candidate] = teraflops(candidate, q, k, v)
    print(f"BM, BN, warps, stages, maxnreg = {setting}: {rates[candidate]:.0f} TFLOP/s")
by_hand = max(rates, key=rates.get)

calls = {
    "default": partial(sdpa, is_causal=True),
    "FlashAttention": flash,
    "by hand": by_hand,
    "in halves": attention_in_halves,
}
rows = []
for length in (8192, 1024, 16384):
    q, k, v = inputs(length)
    for kernel in (by_hand, attention_in_halves):
        torch.testing.assert_close(
            kernel(q, k, v), flash(q, k, v), atol=0.02, rtol=0.02
        )
    found = {name: teraflops(call, q, k, v) for name, call in calls.items()}
    cells = [f"{rate:.0f}" for rate in found.values()]
    rows.append([length, *cells, f"{found['in halves'] / found['default']:.0%}"])
columns = [f"{name}, TFLOP/s" for name in calls]
show(Table(["length", *columns, "in halves / default"], rows))
# region checks
share = found["by hand"] / found["default"]
halves_share = found["in halves"] / found["default"]
flash_share = found["by hand"] / found["FlashAttention"]
assert share > 0.4
assert halves_share > 0.8
# endregion
