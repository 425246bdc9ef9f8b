"""The memory that a step needs at most, on a CPU."""

from _quiet import quiet
from torch.profiler import ProfilerActivity, profile


def peak(step):
    """Return the MiB that ``step()`` allocates at most, beyond what was allocated before; it runs three times."""
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
