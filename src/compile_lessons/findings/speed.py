"""How long calls of compiled code take, compared with the same calls in eager mode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compile_lessons.facts.run import Process, Region, Run, Span

#: A difference of this share between two runs is chance.
CHANCE = 0.05
#: Calls that a comparison needs.
_FEWEST = 3


@dataclass(frozen=True, kw_only=True)
class SpeedComparison:
    """Seconds from one call to the next, compiled and in eager mode, after the last compile."""

    function: str
    first: int
    last: int
    compiled: float
    eager: float
    break_even: int | None


def compare_speed(run: Run) -> SpeedComparison | str:
    """Return the comparison of a run with its second run; or why there is none, if there was a second run."""
    if run.eager is None:
        return ""
    main = run.main
    other = run.eager.main
    region = main.steps if main else None
    if run.eager.status and not run.eager.stopped:
        return f"the second run, in eager mode, ended with status {run.eager.status}"
    if not main or not other or not region:
        return "no compiled function was called"
    if main.lost or other.lost:
        return "records are missing"
    if any(item.outcome == "compiled" for item in other.compiles):
        return "the second run compiled too: the program sets its own stance"
    other = eager_process(run.eager, main) or other
    spans = main.spans_of(region)
    before = sum(span.calls for span in spans if span.since < main.last_compile)
    if main.profile and main.profile.region == region.id:  # starting it and writing it down takes time
        before = max(before, main.profile.last + 1)
    sampled = max((each.call for each in main.samples if each.region == region.id), default=0)
    if sum(span.calls for span in spans) - sampled >= _FEWEST:  # sampling values takes time
        before = max(before, sampled)
    compiled = _a_call(spans, before)
    eager = _a_call(other.spans_of(region), before)
    if compiled is None or eager is None:
        return f"{region.name} was called less than {_FEWEST} times after the last compile"
    saved = eager - compiled
    return SpeedComparison(
        function=region.name,
        first=before + 1,
        last=sum(span.calls for span in spans),
        compiled=compiled,
        eager=eager,
        break_even=int(main.compile_seconds / saved) + 1 if saved > CHANCE * eager else None,
    )


def eager_process(eager: Run, process: Process) -> Process | None:
    """Return the process of the run in eager mode that does what a process of the other run does."""
    same = [item for item in eager.processes if item.rank == process.rank and item.regions]
    return max(same, key=lambda item: len(item.spans), default=None)


def own_seconds(process: Process, region: Region, since: float = 0.0) -> float | None:
    """Return how long a call of a region itself runs, without compiles, of those that begin after a moment."""
    spans = [span for span in process.spans_of(region) if span.since >= since]
    calls = sum(span.calls for span in spans)
    return sum(span.seconds - span.compiling for span in spans) / calls if calls >= _FEWEST else None


def _a_call(spans: Sequence[Span], before: int) -> float | None:
    """Return the seconds from one call to the next, without the calls before."""
    done, kept = 0, []
    for span in spans:
        if done >= before:
            kept.append(span)
        done += span.calls
    calls = sum(span.calls for span in kept)
    return (kept[-1].end - kept[0].since) / calls if calls >= _FEWEST else None
