# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# ///
"""RMSNorm and layer norm on an H200: long rows, short rows, and data in the L2."""

from functools import partial

import torch
import torch.nn.functional as F
from layer_norm import layer_norm
from rms_norm import rms_norm
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show


def microseconds(function):
    return do_bench_cudagraph(function, rep=5, return_mode="median") * 1e3


def norms(name, x):
    """Return the norm by hand and torch's, both without arguments."""
    shape = x.shape[-1:]
    weight, bias = torch.randn(2, *shape, device="cuda", dtype=torch.bfloat16)
    if name == "RMSNorm":
        return partial(rms_norm, x, weight), partial(F.rms_norm, x, shape, weight, 1e-6)
    by_hand = partial(layer_norm, x, weight, bias)
    return by_hand, partial(F.layer_norm, x, shape, weight, bias)


def measure(name, x):
    """Return the µs of eager mode, Inductor, the kernel by hand, and a copy of x."""
    by_hand, eager = norms(name, x)
    torch.testing.assert_close(by_hand(), eager(), atol=0.05, rtol=0.02)
    compiled = partial(torch.compile(eager.func, dynamic=False), *eager.args)
    compiled()
    copy = partial(torch.empty_like(x).copy_, x)
    return [microseconds(call) for call in (eager, compiled, by_hand, copy)]


cases = [
    ("RMSNorm", 2048, 4096),
    ("RMSNorm", 32768, 4096),
    ("RMSNorm", 2**20, 128),
    ("layer norm", 32768, 4096),
]
rows = []
ratios = []
shares = []
for name, *shape in cases:
    x = torch.randn(shape, device="cuda", dtype=torch.bfloat16)
    times = measure(name, x)
    _, inductor, by_hand, copy = times
    ratios.append(by_hand / inductor)
    shares.append(copy / by_hand)
    cells = [f"{us:.1f}" for us in times]
    rows.append([name, " x ".join(map(str, shape)), *cells, f"{shares[-1]:.0%}"])
columns = ["eager, µs", "Inductor, µs", "by hand, µs", "copy, µs"]
show(Table(["norm", "shape", *columns, "rate by hand / copy's"], rows))
worst = max(ratios)
best = min(ratios)
_, long_share, short_share, layer_share = shares
# region checks
assert min(long_share, short_share, layer_share) > 0.8
# endregion
