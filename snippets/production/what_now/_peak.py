"""Measure the peak memory of a step on a CPU."""

from _quiet import quiet
from torch.profiler import ProfilerActivity, profile


def peak(step):
    """Run ``step()`` three times, and return the peak of the last run in MiB, without what was allocated before."""
    step()
    step()
    with quiet(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as run:
        step()
    events = [e for e in run.profiler.kineto_results.events() if e.name() == "[memory]"]
    allocated, most = 0, 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        allocated += event.nbytes()
        most = max(most, allocated)
    return most / 2**20
