"""What the GPU did during some calls, by torch's profiler."""

from pathlib import Path

import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile


def cpu_name():
    """Return the processor's name, as Linux has it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next(line.split(": ")[1] for line in lines if line.startswith("model name"))


def timeline(function, x, calls=20):
    """Return the kernels of a call, the µs that they run, and the µs of a call."""
    for _ in range(5):
        function(x)
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        for _ in range(calls):
            function(x)
        torch.cuda.synchronize()
    events = [one for one in profiler.events() if one.device_type == DeviceType.CUDA]
    ranges = [one.time_range for one in events if not one.is_user_annotation]
    busy = sum(one.end - one.start for one in ranges)
    span = max(one.end for one in ranges) - min(one.start for one in ranges)
    return len(ranges) / calls, busy / calls, span / calls
