"""Measure the first call and later calls of a setting in a process forked after the imports, with empty caches."""

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from time import perf_counter

import torch
from torch import nn

torch.set_num_threads(1)
torch._inductor.config.compile_threads = 1  # the compiler's own processes don't survive a fork
model = nn.Sequential(
    nn.LayerNorm(256), nn.GELU(approximate="tanh"), nn.Softplus(), nn.Hardtanh(), nn.Tanhshrink()
).eval()
x = torch.randn(1024, 256)


def seconds(function):
    began = perf_counter()
    function(x)
    return perf_counter() - began


def measure(setting):
    """Return the seconds of the first call, and the median seconds of later calls, eager and compiled."""
    options = {"backend": setting} if setting in ("eager", "aot_eager") else {"mode": setting}
    compiled = torch.compile(model, **options)
    with tempfile.TemporaryDirectory() as empty, torch.inference_mode():
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = empty
        model(x)
        first = seconds(compiled)
        pairs = [(seconds(model), seconds(compiled)) for _ in range(60)][10:]
    eager, later = (median(times) for times in zip(*pairs, strict=True))
    return first, eager * 1e6, later * 1e6


def measure_alone(setting):
    """Return what ``measure`` returns in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
        return process.submit(measure, setting).result()
