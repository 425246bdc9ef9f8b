# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# ///
"""Vector add and softmax on an H200: times of the kernels alone."""

from functools import partial

import torch
from add import add
from softmax import softmax
from triton.testing import do_bench_cudagraph

from compile_lessons import Table, show


def microseconds(function):
    """Time the kernels alone: a CUDA graph replays some calls."""
    return do_bench_cudagraph(function, rep=5, return_mode="median") * 1e3


def measure(operator, by_hand, *arguments):
    """Return the µs of eager mode, Inductor, the kernel by hand, and a copy of x."""
    torch.compiler.reset()
    compiled = partial(torch.compile(operator, dynamic=False), *arguments)
    tensors = [argument for argument in arguments if torch.is_tensor(argument)]
    by_hand = partial(by_hand, *tensors)
    torch.testing.assert_close(by_hand(), compiled())
    copy = partial(torch.empty_like(tensors[0]).copy_, tensors[0])
    calls = [partial(operator, *arguments), compiled, by_hand, copy]
    return [microseconds(call) for call in calls]


rows = []
shares = []
ratios = []


def add_row(name, x, passes, times):
    """Note the times of one operator, which moves ``passes`` times the bytes of x."""
    _, inductor, by_hand, copy = times
    share = passes * copy / 2 / by_hand  # a copy moves two tensors
    shares.append(share)
    ratios.append(by_hand / inductor)
    shape = " x ".join(map(str, x.shape))
    moved = f"{passes * x.nbytes / 1e6:.0f} MB"
    rows.append(
        [name, shape, moved, *(f"{time:.1f}" for time in times), f"{share:.0%}"]
    )


for size in (2**20, 2**26, 2**26 + 1):
    x = torch.randn(size, device="cuda")
    add_row("add", x, 3, measure(torch.add, add, x, x.flip(0)))
for shape in ((1024, 1024), (65536, 1024), (16384, 4096), (4096, 16384)):
    x = torch.randn(shape, device="cuda")
    add_row("softmax", x, 2, measure(torch.softmax, softmax, x, -1))

names = ["eager, µs", "Inductor, µs", "by hand, µs", "copy, µs"]
show(Table(["operator", "shape", "moved", *names, "rate by hand / copy's"], rows))
# region checks
small_add, large_add, odd_add, small_softmax, many_rows, row_4096, row_16384 = shares
worst = max(ratios)
best = min(ratios)
assert min(large_add, many_rows, row_4096, row_16384) > 0.8
# endregion
