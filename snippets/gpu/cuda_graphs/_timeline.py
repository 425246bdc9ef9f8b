"""What the GPU did during some calls, by torch's profiler."""

from pathlib import Path

import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile


def cpu_name():
    """Return the processor's name, as Linux has it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next(line.split(": ")[1] for line in lines if line.startswith("model name"))


def timeline(function, calls=20):
    """Return the kernels of one call, the microseconds that they run, and those from one call to the next."""
    for _ in range(5):
        function()
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        for _ in range(calls):
            function()
        torch.cuda.synchronize()
    events = [event for event in profiler.events() if event.device_type == DeviceType.CUDA]
    ranges = [event.time_range for event in events if not event.is_user_annotation]
    busy = sum(one.end - one.start for one in ranges)
    span = max(one.end for one in ranges) - min(one.start for one in ranges)
    return len(ranges) / calls, busy / calls, span / calls
