# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 180
# ///
"""A matrix product in bfloat16 on an H200: cuBLAS and two kernels by hand, from 1024 to 8192."""

import torch
from matmul import matmul
from matmul_tma import matmul as matmul_tma
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show

rows, shares = [], {}
for size in (1024, 2048, 4096, 8192):
    a, b = (torch.randn(size, size, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    calls = {"cuBLAS": torch.mm, "pointers": matmul, "descriptors": matmul_tma}
    expected = torch.mm(a, b)
    rates = {}
    for name, call in calls.items():
        torch.testing.assert_close(call(a, b), expected, atol=1.0, rtol=0.02)
        ms = do_bench_cudagraph(lambda call=call, a=a, b=b: call(a, b), return_mode="median")
        rates[name] = 2 * size**3 / ms / 1e9
    shares[size] = {name: rate / rates["cuBLAS"] for name, rate in rates.items()}
    rows.append([size, *(f"{rate:.0f}" for rate in rates.values())])
    rows[-1] += [f"{shares[size][name]:.0%}" for name in ("pointers", "descriptors")]
columns = [*(f"{name}, TFLOP/s" for name in calls), "pointers, of cuBLAS", "descriptors, of cuBLAS"]
show(Table(["size", *columns], rows))
pointers_share, descriptors_share, small_share = (*list(shares[8192].values())[1:], shares[1024]["descriptors"])
# region checks
assert descriptors_share > 0.7
# endregion
