# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+']
# varies.values = ["flipped", "strided", "start", "middle"]
# ///
"""What it costs to lose the vectors: each loop next to one that keeps them."""

import statistics
from time import perf_counter

import torch

from compile_lessons import Table, show


def silu(x):
    return x * torch.sigmoid(x)


torch.set_num_threads(1)  # so that other programs on this machine disturb less
n = 1 << 16
x, wide = torch.randn(n), torch.randn(n, 2)
pairs = {
    "silu(x.flip(0)), against silu(x)": (lambda x: silu(x.flip(0)), x, silu, x),
    "silu(wide[:, 0]), against silu(x)": (lambda x: silu(x[:, 0]), wide, silu, x),
}
ratios = []
for scalar, scalar_input, vector, vector_input in pairs.values():
    scalar, vector, samples = torch.compile(scalar), torch.compile(vector), []
    for _ in range(103):
        start = perf_counter()
        scalar(scalar_input)
        middle = perf_counter()
        vector(vector_input)
        samples.append((middle - start) / (perf_counter() - middle))
    ratios.append(statistics.median(samples[3:]))
show(Table(["loops", "times as long"], [[pair, f"{r:.2f}"] for pair, r in zip(pairs, ratios, strict=True)]))
flipped, strided = ratios
# region checks
torch.testing.assert_close(torch.compile(silu)(x), silu(x))
# endregion
