"""How long collectives run on a GPU, and for how long of that other kernels run too."""

import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

CALLS = 10


def transfers(function):
    """Return the ms a call in which collectives run, and those of them in which
    another kernel runs too.
    """
    for _ in range(3):
        function()
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        for _ in range(CALLS):
            function()
        torch.cuda.synchronize()
    collectives = []
    others = []
    for event in profiler.events():
        if event.device_type == DeviceType.CUDA and not event.is_user_annotation:
            spans = collectives if event.name.startswith("nccl") else others
            spans.append((event.time_range.start, event.time_range.end))
    microseconds = sum(end - start for start, end in collectives)
    hidden = sum(shared(one, others) for one in collectives)
    return microseconds / CALLS / 1e3, hidden / CALLS / 1e3


def shared(span, others):
    """Return for how long of ``span`` another kernel runs. ``others`` don't overlap
    each other.
    """
    start, end = span
    parts = [min(end, stop) - max(start, begin) for begin, stop in others]
    return sum(part for part in parts if part > 0)
