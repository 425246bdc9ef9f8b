"""Measure the peak memory of a step on a CPU."""

from _quiet import quiet
from torch.profiler import ProfilerActivity, profile


def peak(step):
    """Return the peak of the third run of ``step()`` in MiB, beyond its start."""
    step()
    step()
    with (
        quiet(),
        profile(activities=[ProfilerActivity.CPU], profile_memory=True) as run,
    ):
        step()
    events = run.profiler.kineto_results.events()
    memory = [event for event in events if event.name() == "[memory]"]
    allocated = 0
    most = 0
    for event in sorted(memory, key=lambda event: event.start_ns()):
        allocated += event.nbytes()
        most = max(most, allocated)
    return most / 2**20
