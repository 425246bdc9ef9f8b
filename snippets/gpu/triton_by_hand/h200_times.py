# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# ///
"""Vector add and softmax on an H200: times of the kernels alone, in the cache and beyond it."""

from functools import partial

import torch
from add import add
from softmax import softmax
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show


def microseconds(function):
    """Time the kernels without their launches: some calls are recorded in a CUDA graph, which is replayed."""
    return do_bench_cudagraph(function, rep=5, return_mode="median") * 1e3


cases = [(torch.add, add, 3, (2**20,)), (torch.add, add, 3, (2**26,)), (torch.add, add, 3, (2**26 + 1,))]
cases += [(torch.softmax, softmax, 2, shape) for shape in ((1024, 1024), (65536, 1024), (16384, 4096), (4096, 16384))]
rows, shares, against = [], [], []
for operator, by_hand, passes, shape in cases:
    torch.compiler.reset()
    x = torch.randn(shape, device="cuda")
    second = x.flip(0) if operator is torch.add else -1
    compiled = partial(torch.compile(operator, dynamic=False), x, second)
    by_hand = partial(by_hand, x, second) if operator is torch.add else partial(by_hand, x)
    torch.testing.assert_close(by_hand(), compiled())
    calls = [partial(operator, x, second), compiled, by_hand, partial(torch.empty_like(x).copy_, x)]
    *times, copy = map(microseconds, calls)
    shares.append(passes * copy / 2 / times[2])  # a copy moves two tensors
    against.append(times[2] / times[1])
    row = [operator.__name__, " x ".join(map(str, shape)), f"{passes * x.nbytes / 1e6:.0f} MB"]
    rows.append([*row, *(f"{time:.1f}" for time in (*times, copy)), f"{shares[-1]:.0%}"])
names = ["eager, µs", "Inductor, µs", "by hand, µs", "copy, µs"]
show(Table(["operator", "shape", "moved", *names, "rate by hand / copy's"], rows))
small_add, large_add, odd_add, small_softmax, many_rows, row_4096, row_16384 = shares
worst, best = max(against), min(against)
# region checks
assert min(shares[1], *shares[4:]) > 0.8
# endregion
