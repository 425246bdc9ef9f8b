"""Compiles that take longer than they need to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from compile_lessons.facts.places import is_user_file
from compile_lessons.facts.run import Compile, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.words import rough_duration

#: A line that is in a graph this often, in a compile of at least so many seconds, is worth a change.
_TIMES = 8
_SECONDS = 2.0


def unrolled_loops(run: Run) -> Iterator[Finding]:
    """Yield a finding for each line that is in one graph many times: the loop around it is unrolled."""
    places: dict[Location, list[tuple[Compile, int]]] = defaultdict(list)
    for process in run.processes:
        for item in process.compiles:
            line, count = next((pair for pair in item.repeated if is_user_file(pair[0].file)), (None, 0))
            if line is not None and count >= _TIMES and item.outcome == "compiled":
                places[line].append((item, count))
    for line, same in places.items():
        seconds = sum(item.seconds for item, _ in same if not item.nested)
        count = max(count for _, count in same)
        if seconds >= _SECONDS:
            yield Finding(
                rule="unrolled-loop",
                severity="fault",
                what=f"a loop is unrolled: this line is {count} times in one graph, "
                f"which took {rough_duration(seconds)}",
                seconds=seconds * (count - 1) / count,
                where=(line, same[0][0].code),
                evidence=(f"{same[0][0].operations} operations in the graph",),
                remedy="compile what the loop repeats as a function or module of its own, and loop in Python",
                lesson="production/placement",
            )


#: A run of which so much is spent in compiles, in seconds and as a share, gets advice.
_LONG = 20.0
_SHARE = 0.3


def long_compiles(run: Run) -> Iterator[Finding]:
    """Yield advice for each function whose first compile takes a large part of the run."""
    for process in run.processes:
        for item in process.compiles:
            if item.nested or item.guards or item.seconds < _LONG or item.seconds < _SHARE * run.seconds:
                continue
            yield Finding(
                rule="compile-time",
                severity="advice",
                what=(
                    f"the first compile of {item.name} took {rough_duration(item.seconds)}, "
                    f"{item.seconds / run.seconds:.0%} of the run"
                ),
                seconds=item.seconds,
                where=(item.code,),
                evidence=tuple(filter(None, (_stages(item), _cache(item)))),
                remedy="compile the block that repeats and not the whole model, and keep the cache folder between runs",
                lesson="production/warm-starts",
            )


def _stages(item: Compile) -> str:
    """Return the seconds of each stage without those inside it: AOTAutograd runs in Dynamo, Inductor in AOTAutograd."""
    order = ("Dynamo", "AOTAutograd", "Inductor")
    inner = [item.stages.get(stage, 0.0) for stage in order[1:]] + [0.0]
    own = {stage: item.stages.get(stage, 0.0) - below for stage, below in zip(order, inner, strict=True)}
    return ", ".join(f"{stage} {rough_duration(seconds)}" for stage, seconds in own.items() if seconds > 0.1)


def _cache(item: Compile) -> str:
    if not item.caches:
        return ""
    hits = item.caches.count("hit")
    return f"{hits} of {len(item.caches)} graphs came from Inductor's cache"
