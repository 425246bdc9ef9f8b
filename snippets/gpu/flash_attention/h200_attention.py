# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 180
# ///
"""Causal attention on an H200: five configurations of the kernel, and the fastest beside torch's fused operators."""

from functools import partial

import torch
from attention import attention
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as sdpa
from triton.testing import do_bench

from compile_lessons import Table, show


def teraflops(function, q, k, v):
    operations = 2 * q.numel() * q.shape[2]  # two products of two operations each, half of them masked
    return operations / do_bench(partial(function, q, k, v), warmup=10, rep=50, return_mode="median") / 1e9


def flash(q, k, v):
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        return sdpa(q, k, v, is_causal=True)


def by_hand(q, k, v):
    return attention(q, k, v, *setting)


calls = {"default": partial(sdpa, is_causal=True), "FlashAttention": flash, "by hand": by_hand}
rates, rows = {}, []
for length in (8192, 1024, 16384):
    q, k, v = (torch.randn(16384 // length, 16, length, 128, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    if not rates:
        for setting in ((128, 128, 8, 2, None), (128, 64, 8, 3, None), (128, 64, 8, 2, 128), (64, 64, 4, 2, None)):
            rates[setting] = teraflops(by_hand, q, k, v)
            print(f"BM, BN, warps, stages, maxnreg = {setting}: {rates[setting]:.0f} TFLOP/s")
        setting = max(rates, key=rates.get)
    torch.testing.assert_close(by_hand(q, k, v), flash(q, k, v), atol=0.02, rtol=0.02)
    found = {name: teraflops(call, q, k, v) for name, call in calls.items()}
    rows.append([length, *(f"{rate:.0f}" for rate in found.values()), f"{found['by hand'] / found['default']:.0%}"])
show(Table(["length", *(f"{name}, TFLOP/s" for name in calls), "by hand / default"], rows))
# region checks
share, flash_share = (found["by hand"] / found[name] for name in ("default", "FlashAttention"))
assert share > 0.4
# endregion
