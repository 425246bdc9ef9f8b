"""Print the seconds of the first call, and the median µs of later calls, eager and compiled, of a new process."""

import sys
from statistics import median
from time import perf_counter

import torch
from torch import nn

torch.set_num_threads(1)
model = nn.Sequential(
    nn.LayerNorm(256), nn.GELU(approximate="tanh"), nn.Softplus(), nn.Hardtanh(), nn.Tanhshrink()
).eval()
x, setting = torch.randn(1024, 256), sys.argv[1]
options = {"backend": setting} if setting in ("eager", "aot_eager") else {"mode": setting}
compiled = torch.compile(model, **options)


def seconds(function):
    began = perf_counter()
    function(x)
    return perf_counter() - began


with torch.inference_mode():
    model(x)
    first = seconds(compiled)
    pairs = [(seconds(model), seconds(compiled)) for _ in range(60)][10:]
eager, later = (median(times) * 1e6 for times in zip(*pairs, strict=True))
print(first, eager, later)
