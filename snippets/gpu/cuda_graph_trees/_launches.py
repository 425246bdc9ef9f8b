"""The CUDA graphs that a call launches, by torch's profiler."""

import torch
from torch.profiler import ProfilerActivity, profile


def graphs_launched(function, x):
    """Return how many CUDA graphs one call launches."""
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        function(x)
        torch.cuda.synchronize()
    events = profiler.key_averages()
    return sum(event.count for event in events if event.key == "cudaGraphLaunch")
