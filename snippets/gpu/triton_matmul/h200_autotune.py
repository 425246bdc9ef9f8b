# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 180
# ///
"""triton.autotune times the configurations for each new size, and keeps the fastest."""

from time import perf_counter

import torch
import triton
from matmul import matmul_kernel

from compile_lessons import Table, show

# region tuned
configs = [
    triton.Config(
        {"BM": BM, "BN": BN, "BK": 64, "GROUP": 8}, num_warps=warps, num_stages=stages
    )
    for BM, BN, warps, stages in [(128, 256, 8, 3), (128, 128, 4, 4), (64, 64, 4, 4)]
]
tuned_kernel = triton.autotune(configs, key=["M", "N", "K"])(matmul_kernel)


def matmul(a, b):
    M, K = a.shape
    N = b.shape[1]
    out = torch.empty(M, N, dtype=a.dtype, device=a.device)

    def grid(meta):
        return (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)

    tuned_kernel[grid](a, b, out, M, N, K)
    return out


# endregion
def milliseconds(a, b):
    began = perf_counter()
    result = matmul(a, b)
    torch.cuda.synchronize()
    ms = (perf_counter() - began) * 1e3
    torch.testing.assert_close(result, a @ b, atol=1.0, rtol=0.02)
    return f"{ms:.1f} ms"


rows = []
for size in (512, 2048, 8192):
    a, b = torch.randn(2, size, size, device="cuda", dtype=torch.bfloat16)
    first = milliseconds(a, b)
    second = milliseconds(a, b)
    best = tuned_kernel.best_config.kwargs
    rows.append([size, f"{best['BM']} x {best['BN']}", first, second])
show(Table(["size", "fastest tile", "first call", "second call"], rows))
# region checks
assert len({row[1] for row in rows}) > 1
# endregion
