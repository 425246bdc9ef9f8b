"""Where the time of a process went, from its start to its end: in phases of steps, and in even pieces.

A step is a call of the compiled function that is called most often, up to its next call. ``compiling`` counts compiles
that overlap once. What runs at once in several threads counts at most as long as it took.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

from compile_lessons.facts.run import Process
from compile_lessons.findings.late import LateCall
from compile_lessons.reports.report import Piece, TimelinePhase

#: A step belongs to the compiles if they took this share of it.
_COMPILES = 0.1
#: Phases of steps that are told apart.
_MOST = 5


def pieces(process: Process, bounds: Sequence[float]) -> list[Piece]:
    """Return what the time between each of ``bounds`` and the next one went into."""
    compiles = [(start, end, end - start) for start, end in process.compiling]
    sums = (_spread(bounds, weighted) for weighted in (compiles, *_runs(process)))
    found = []
    for (start, end), compiling, compiled, eager in zip(pairwise(bounds), *sums, strict=True):
        room = max(0.0, end - start - compiling)
        ran = min(room, compiled + eager)
        fits = ran / (compiled + eager) if ran else 0.0
        found.append(Piece(start, end, (compiling, compiled * fits, eager * fits, room - ran)))
    return found


Weighted = list[tuple[float, float, float]]


def _runs(process: Process) -> tuple[Weighted, Weighted]:
    """Return when compiled functions ran, and how many seconds of it were in compiled code, and in eager mode."""
    with_code = process.compiled_regions
    compiles = process.compiling
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


def phases(process: Process, late: Sequence[LateCall]) -> list[TimelinePhase]:
    """Return the phases of a process; none if no compiled function was called, or no calls are known."""
    region = process.steps
    spans = process.spans_of(region) if region else []
    if not region or not spans:
        return []
    bounds = [process.start, *(span.start for span in spans), max(span.end for span in process.spans), process.end]
    bounds = list(accumulate(bounds, max))  # calls of several threads may overlap
    before, *steps, after = pieces(process, bounds)
    counts = [span.calls for span in spans]
    starts = [call.start for call in late if call.region == region]
    are_late = [any(step.start <= start < step.end for start in starts) for step in steps]
    found = [_phase("before the first call", 0, 0, [before])]
    first = 1
    for group in _groups(steps, are_late):
        calls = sum(counts[number] for number in group)
        last = first + calls - 1
        title = f"call {first}" if calls == 1 else f"calls {first} to {last}"
        is_late = any(are_late[number] for number in group)
        title += " (late)" if is_late else ""
        found.append(_phase(title, first, last, [steps[number] for number in group], is_late))
        first = last + 1
    found.append(_phase("after the last call", 0, 0, [after]))
    return [phase for phase in found if phase.piece.seconds]


def _phase(title: str, first: int, last: int, same: Sequence[Piece], late: bool = False) -> TimelinePhase:
    parts = tuple(map(sum, zip(*(piece.parts for piece in same), strict=True)))
    return TimelinePhase(
        title=title, first=first, last=last, piece=Piece(same[0].start, same[-1].end, parts), late=late
    )


def _groups(steps: Sequence[Piece], late: Sequence[bool]) -> list[range]:
    """Group steps that follow each other and compile, or don't; join the shortest groups if there are many.

    The first late calls, which compile after the program has begun its steady work, stay apart.
    """
    compiles = [piece.parts[0] > _COMPILES * piece.seconds for piece in steps]
    kinds = list(zip(compiles, late, strict=True))
    groups: list[range] = []
    for number, kind in enumerate(kinds):
        if groups and kinds[groups[-1].start] == kind:
            groups[-1] = range(groups[-1].start, number + 1)
        else:
            groups.append(range(number, number + 1))
    apart = [group for group in groups if late[group.start]][:_MOST]
    while len(groups) > _MOST + 2 * len(apart):
        lengths = [
            float("inf") if a in apart or b in apart else steps[b.stop - 1].end - steps[a.start].start
            for a, b in pairwise(groups)
        ]
        at = lengths.index(min(lengths))
        groups[at : at + 2] = [range(groups[at].start, groups[at + 1].stop)]
    return groups
