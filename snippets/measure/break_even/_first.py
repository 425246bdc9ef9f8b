"""Measure the calls of a setting in a new process with empty caches."""

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median, quantiles
from time import perf_counter

import torch
from torch import nn

torch.set_num_threads(1)
# private: the compiler's own processes don't survive a fork
torch._inductor.config.compile_threads = 1


class NormAndGelu(nn.Module):
    """Some fifteen operators in eager mode, one kernel when compiled."""

    def __init__(self, width=256):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x):
        mean_square = x.square().mean(-1, keepdim=True)
        h = x * torch.rsqrt(mean_square + 1e-5) * self.gain
        return x + 0.5 * h * (1 + torch.tanh(0.79788 * (h + 0.044715 * h**3)))


model = NormAndGelu().eval()
x = torch.randn(1024, 256)


def seconds(function):
    began = perf_counter()
    function(x)
    return perf_counter() - began


def measure(setting):
    """Return seconds: the first call, medians of later calls, what a call saves.

    Eager and compiled calls take turns, so that a slow moment hits both.
    """
    if setting in ("eager", "aot_eager"):
        compiled = torch.compile(model, backend=setting)
    else:
        compiled = torch.compile(model, mode=setting)
    with tempfile.TemporaryDirectory() as empty, torch.inference_mode():
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = empty
        model(x)
        first = seconds(compiled)
        pairs = [(seconds(model), seconds(compiled)) for _ in range(110)][10:]
    eager, later = (median(times) for times in zip(*pairs, strict=True))
    saved = quantiles([one - other for one, other in pairs], n=4)
    return first, eager, later, saved


def measure_alone(setting):
    """Return what ``measure`` returns in a process forked after the imports."""
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
        return process.submit(measure, setting).result()
