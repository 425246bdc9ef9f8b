"""When a process compiled, and which of its compiled functions runs once a step."""

from __future__ import annotations

from compile_lessons.facts.run import Process, Region, joined


def compile_seconds(process: Process) -> float:
    """Return the seconds in which a process compiled."""
    return sum(end - start for start, end in compiles_of(process))


def compiles_of(process: Process) -> list[tuple[float, float]]:
    """Return when a process compiled: intervals that don't overlap, in their order."""
    intervals = [(item.start, item.ends) for item in process.compiles]
    intervals += [(item.start, item.start + item.seconds) for item in process.intervals]
    return joined(intervals)


def stepping_region(process: Process) -> Region | None:
    """Return the compiled function whose calls are the steps: the one that is called most often."""
    region = max(process.regions, key=lambda region: region.calls, default=None)
    return region if region and region.calls else None
