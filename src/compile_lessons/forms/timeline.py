"""Where the time of a process went, from its start to its end: in phases of steps, and in even pieces.

A step is a call of the compiled function that is called most often, up to its next call. ``compiling`` counts compiles
that overlap once. What runs at once in several threads counts at most as long as it took.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from compile_lessons.facts.run import Process, Region, Run
from compile_lessons.show.table import Table, duration

#: The parts of a piece of time, in the order of its fields.
PARTS = ("compiling", "compiled code", "eager mode", "other")
#: A step belongs to the compiles if they took this share of it.
_COMPILES = 0.1
#: Phases of steps that are told apart.
_MOST = 5


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Seconds from ``start`` to ``end``, and what they went into."""

    start: float
    end: float
    compiling: float
    compiled: float
    eager: float

    @property
    def seconds(self) -> float:
        return self.end - self.start

    @property
    def outside(self) -> float:
        """Seconds outside of calls of compiled functions."""
        return max(0.0, self.seconds - self.compiling - self.compiled - self.eager)

    @property
    def parts(self) -> tuple[float, float, float, float]:
        """The seconds of each of ``PARTS``."""
        return self.compiling, self.compiled, self.eager, self.outside


@dataclass(frozen=True, kw_only=True)
class CallRange:
    """Calls that follow each other and are alike; ``first`` is 0 for what is before the first or after the last."""

    title: str
    first: int
    last: int
    piece: Piece

    @property
    def a_call(self) -> float | None:
        return self.piece.seconds / (self.last - self.first + 1) if self.first else None


def main_process(run: Run) -> Process | None:
    """Return the process that waited longest for compiles."""
    return max(run.processes, key=compile_seconds, default=None)


def compile_seconds(process: Process) -> float:
    """Return the seconds in which a process compiled."""
    return sum(end - start for start, end in compiles_of(process))


def compiles_of(process: Process) -> list[tuple[float, float]]:
    """Return when a process compiled: intervals that don't overlap, in their order."""
    intervals = [(item.start, item.ends) for item in process.compiles]
    intervals += [(item.start, item.start + item.seconds) for item in process.intervals]
    return joined(intervals)


def joined(intervals: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return what intervals cover together, as intervals that don't overlap."""
    covered: list[tuple[float, float]] = []
    for start, end in sorted(intervals):
        if covered and start <= covered[-1][1]:
            covered[-1] = covered[-1][0], max(end, covered[-1][1])
        else:
            covered.append((start, end))
    return covered


def stepping_region(process: Process) -> Region | None:
    """Return the compiled function whose calls are the steps: the one that is called most often."""
    region = max(process.regions, key=lambda region: region.calls, default=None)
    return region if region and region.calls else None


def pieces(process: Process, bounds: Sequence[float]) -> list[Piece]:
    """Return what the time between each of ``bounds`` and the next one went into."""
    count = len(bounds) - 1
    compiling = _spread(bounds, [(start, end, end - start) for start, end in compiles_of(process)])
    compiled, eager = (_spread(bounds, runs) for runs in _runs(process))
    found = []
    for number in range(count):
        room = bounds[number + 1] - bounds[number] - compiling[number]
        ran = compiled[number] + eager[number]
        fits = min(1.0, max(0.0, room) / ran) if ran else 0.0
        found.append(
            Piece(
                start=bounds[number],
                end=bounds[number + 1],
                compiling=compiling[number],
                compiled=compiled[number] * fits,
                eager=eager[number] * fits,
            )
        )
    return found


Weighted = list[tuple[float, float, float]]


def _runs(process: Process) -> tuple[Weighted, Weighted]:
    """Return when compiled functions ran, and how many seconds of it were in compiled code, and in eager mode."""
    with_code = {item.region for item in process.compiles if item.outcome == "compiled"}
    compiles = compiles_of(process)
    compiled, eager = [], []
    for span in process.spans:
        ran = max(0.0, span.seconds - span.compiling)
        in_eager = min(span.eager, ran) if span.region in with_code else ran
        for start, end, share in _without(compiles if span.compiling else [], span.start, span.end):
            compiled.append((start, end, share * (ran - in_eager)))
            eager.append((start, end, share * in_eager))
    return compiled, eager


def _without(taken: Sequence[tuple[float, float]], start: float, end: float) -> Weighted:
    """Return the intervals from ``start`` to ``end`` that are not taken, each with its share of their length."""
    bounds = [start, *(bound for interval in taken for bound in interval if start < bound < end), end]
    free = [pair for pair in pairwise(bounds) if not any(low <= pair[0] and pair[1] <= high for low, high in taken)]
    length = sum(high - low for low, high in free)
    return [(low, high, (high - low) / length) for low, high in free] if length else [(start, end, 1.0)]


def _spread(bounds: Sequence[float], weighted: Weighted) -> list[float]:
    """Spread the seconds of each interval evenly over the pieces that it touches."""
    sums = [0.0] * (len(bounds) - 1)
    for start, end, seconds in weighted:
        length = end - start
        number = max(0, bisect_right(bounds, start) - 1)
        while length > 0 and number < len(sums) and bounds[number] < end:
            overlap = min(end, bounds[number + 1]) - max(start, bounds[number])
            sums[number] += seconds * max(0.0, overlap) / length
            number += 1
    return sums


def even_pieces(process: Process, count: int) -> list[Piece]:
    """Return ``count`` pieces of one length, of a process from its start to its end."""
    length = (process.end - process.start) / count
    return pieces(process, [process.start + number * length for number in range(count)] + [process.end])


def phases(process: Process) -> list[CallRange]:
    """Return the phases of a process; none if no compiled function was called, or no calls are known."""
    region = stepping_region(process)
    spans = [span for span in process.spans if region and span.region == region.id]
    if not region or not spans:
        return []
    bounds = [process.start, *(span.start for span in spans), max(span.end for span in process.spans), process.end]
    bounds = list(accumulate(bounds, max))  # calls of several threads may overlap
    before, *steps, after = pieces(process, bounds)
    counts = [span.calls for span in spans]
    found = [_phase("before the first call", 0, 0, [before])]
    first = 1
    for group in _groups(steps):
        calls = sum(counts[number] for number in group)
        last = first + calls - 1
        title = f"call {first}" if calls == 1 else f"calls {first} to {last}"
        found.append(_phase(title, first, last, [steps[number] for number in group]))
        first = last + 1
    return [*found, _phase("after the last call", 0, 0, [after])]


def _phase(title: str, first: int, last: int, same: Sequence[Piece]) -> CallRange:
    piece = Piece(
        start=same[0].start,
        end=same[-1].end,
        compiling=sum(piece.compiling for piece in same),
        compiled=sum(piece.compiled for piece in same),
        eager=sum(piece.eager for piece in same),
    )
    return CallRange(title=title, first=first, last=last, piece=piece)


def _groups(steps: Sequence[Piece]) -> list[range]:
    """Group steps that follow each other and compile, or don't; join the shortest groups if there are many."""
    groups: list[range] = []
    for number, piece in enumerate(steps):
        if groups and _compiles(steps[groups[-1].start]) == _compiles(piece):
            groups[-1] = range(groups[-1].start, number + 1)
        else:
            groups.append(range(number, number + 1))
    while len(groups) > _MOST:
        lengths = [steps[b.stop - 1].end - steps[a.start].start for a, b in pairwise(groups)]
        at = lengths.index(min(lengths))
        groups[at : at + 2] = [range(groups[at].start, groups[at + 1].stop)]
    return groups


def _compiles(piece: Piece) -> bool:
    return piece.compiling > _COMPILES * piece.seconds


def timeline(process: Process) -> Table | None:
    """Return the phases as a table; ``None`` if there are none."""
    region = stepping_region(process)
    found = phases(process)
    if not region or not found:
        return None
    rows = [
        [phase.title, duration(phase.piece.seconds), "-" if phase.a_call is None else duration(phase.a_call)]
        + [f"{part / phase.piece.seconds:.0%}" if part else "-" for part in phase.piece.parts]
        for phase in found
        if phase.piece.seconds
    ]
    return Table(("", "seconds", "a call", *PARTS), rows, kinds=dict.fromkeys(("seconds", "a call", *PARTS), "number"))
