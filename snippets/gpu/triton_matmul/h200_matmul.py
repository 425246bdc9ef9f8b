# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 180
# ///
"""A matrix product in bfloat16 on an H200: cuBLAS and two kernels by hand."""

from functools import partial

import torch
from matmul import matmul
from matmul_tma import matmul as matmul_tma
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show

CALLS = {"cuBLAS": torch.mm, "pointers": matmul, "descriptors": matmul_tma}


def teraflops(call, a, b):
    """Return the rate of a call whose result is right."""
    torch.testing.assert_close(call(a, b), torch.mm(a, b), atol=1.0, rtol=0.02)
    ms = do_bench_cudagraph(partial(call, a, b), return_mode="median")
    return 2 * len(a) ** 3 / ms / 1e9


rows = []
shares = {}
for size in (1024, 2048, 4096, 8192):
    a, b = torch.randn(2, size, size, device="cuda", dtype=torch.bfloat16)
    rates = {name: teraflops(call, a, b) for name, call in CALLS.items()}
    for name in ("pointers", "descriptors"):
        shares[name, size] = rates[name] / rates["cuBLAS"]
    of_cublas = [f"{shares[name, size]:.0%}" for name in ("pointers", "descriptors")]
    rows.append([size, *(f"{rate:.0f}" for rate in rates.values()), *of_cublas])
columns = [f"{name}, TFLOP/s" for name in CALLS]
show(Table(["size", *columns, "pointers, of cuBLAS", "descriptors, of cuBLAS"], rows))
pointers_share = shares["pointers", 8192]
descriptors_share = shares["descriptors", 8192]
small_share = shares["descriptors", 1024]
# region checks
assert descriptors_share > 0.7
# endregion
