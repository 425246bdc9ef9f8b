# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# ///
"""RMSNorm and layer norm on an H200 in bfloat16: long rows, short rows, and data that fits in the L2 cache."""

from functools import partial

import torch
import torch.nn.functional as F
from layer_norm import layer_norm
from rms_norm import rms_norm
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show


def microseconds(function):
    return do_bench_cudagraph(function, rep=5, return_mode="median") * 1e3


rows, against, shares = [], [], []
cases = [("RMSNorm", 2048, 4096), ("RMSNorm", 32768, 4096), ("RMSNorm", 2**20, 128), ("layer norm", 32768, 4096)]
for norm, *shape in cases:
    x = torch.randn(shape, device="cuda", dtype=torch.bfloat16)
    weight, bias = torch.randn(2, shape[-1], device="cuda", dtype=torch.bfloat16)
    if norm == "RMSNorm":
        by_hand, eager = partial(rms_norm, x, weight), partial(F.rms_norm, x, shape[-1:], weight, 1e-6)
    else:
        by_hand, eager = partial(layer_norm, x, weight, bias), partial(F.layer_norm, x, shape[-1:], weight, bias)
    torch.testing.assert_close(by_hand(), eager(), atol=0.05, rtol=0.02)
    compiled = partial(torch.compile(eager.func, dynamic=False), *eager.args)
    compiled()
    calls = {"eager": eager, "Inductor": compiled, "by hand": by_hand, "copy": partial(torch.empty_like(x).copy_, x)}
    times = {name: microseconds(call) for name, call in calls.items()}
    against.append(times["by hand"] / times["Inductor"])
    shares.append(times["copy"] / times["by hand"])
    rows.append([norm, " x ".join(map(str, shape)), *(f"{us:.1f}" for us in times.values()), f"{shares[-1]:.0%}"])
show(Table(["norm", "shape", *(f"{name}, µs" for name in times), "rate by hand / copy's"], rows))
worst, best, long_share, short_share, layer_share = max(against), min(against), *shares[1:]
# region checks
assert min(shares[1:]) > 0.8
# endregion
