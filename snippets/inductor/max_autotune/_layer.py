"""A linear layer with GELU in bfloat16, and the seconds of its first calls in one
variant, in a process that is new.
"""

import os
import subprocess
import sys
import tempfile
from time import perf_counter

import torch
import torch.nn.functional as F
from torch.profiler import ProfilerActivity, profile

WIDTH = 4096
ROWS = (16, 8192)
VARIANTS = {
    "default": {"mode": "default"},
    "max-autotune-no-cudagraphs": {"mode": "max-autotune-no-cudagraphs"},
    "max-autotune": {"mode": "max-autotune"},
    # GELU goes into the template's kernel without a benchmark of that
    "GELU fused untimed": {
        "options": {"max_autotune": True, "benchmark_epilogue_fusion": False}
    },
}


def layer(x, weight, bias):
    return F.gelu(x @ weight + bias)


def compile_as(variant):
    return torch.compile(layer, dynamic=False, **VARIANTS[variant])


def inputs(rows):
    torch.manual_seed(0)
    with torch.device("cuda"):
        tensors = (
            torch.randn(rows, WIDTH),
            torch.randn(WIDTH, WIDTH) / 64,
            torch.randn(WIDTH),
        )
    return tuple(tensor.to(torch.bfloat16) for tensor in tensors)


def first_calls(variant):
    """Return the seconds of the first call by the number of rows, in a process with
    empty caches.
    """
    with tempfile.TemporaryDirectory() as empty:
        environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": empty}
        command = [sys.executable, "-W", "ignore", __file__, variant]
        run = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        )
    seconds = [float(line) for line in run.stdout.split()]
    return dict(zip(ROWS, seconds, strict=True))


def microseconds(function, calls=200):
    """Return the time of a call in a row of calls, as a program sees it."""
    torch.cuda.synchronize()
    began = perf_counter()
    for _ in range(calls):
        function()
    torch.cuda.synchronize()
    return (perf_counter() - began) / calls * 1e6


def on_the_gpu(function, calls=20):
    """Return the microseconds that the GPU works in a call, and the names of the
    kernels.
    """
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        for _ in range(calls):
            function()
        torch.cuda.synchronize()
    events = [
        event for event in profiler.key_averages() if event.self_device_time_total
    ]
    names = sorted(event.key.split("<")[0].split("(")[0] for event in events)
    return sum(event.self_device_time_total for event in events) / calls, names


if __name__ == "__main__":
    compiled = compile_as(sys.argv[1])
    layer(*inputs(16))  # loads CUDA and its libraries
    with torch.inference_mode():
        for rows in ROWS:
            began = perf_counter()
            compiled(*inputs(rows))
            torch.cuda.synchronize()
            print(perf_counter() - began)
