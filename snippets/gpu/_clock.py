"""Clocks for the programs that are recorded on a GPU."""

from pathlib import Path
from time import perf_counter

import torch
from torch.profiler import ProfilerActivity, profile


def cpu_name():
    """Return the processor's name, as Linux has it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next(line.split(": ")[1] for line in lines if line.startswith("model name"))


def call_time(function, *arguments, calls=50):
    """Return the microseconds of one call, launch included: of ``calls`` calls in a row
    and one wait for the GPU.
    """
    torch.cuda.synchronize()
    began = perf_counter()
    for _ in range(calls):
        function(*arguments)
    torch.cuda.synchronize()
    return (perf_counter() - began) / calls * 1e6


def kernel_time(function, *arguments, calls=50):
    """Return the microseconds that the GPU works for one call: the sum over its
    kernels, by torch's profiler.
    """
    with profile(activities=[ProfilerActivity.CUDA]) as profiler:
        for _ in range(calls):
            function(*arguments)
        torch.cuda.synchronize()
    return (
        sum(event.self_device_time_total for event in profiler.key_averages()) / calls
    )
