"""The steady state of a run: compared with eager mode, and what ran in it, as lines of text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from compile_lessons.facts.run import Process, Profile, Run, Span
from compile_lessons.forms.timeline import compile_seconds, compiles_of, main_process, stepping_region
from compile_lessons.ground.words import counted, rough_duration, shorten
from compile_lessons.show import table

#: Calls that a comparison needs.
_FEWEST = 3
#: A difference of this share is chance.
_CHANCE = 0.05
#: Names of a profile that are shown, and the characters of one.
_NAMES, _WIDTH = 8, 60


@dataclass(frozen=True, kw_only=True)
class SteadyComparison:
    """Seconds from one call to the next, compiled and in eager mode, after the last compile."""

    function: str
    #: The calls that are compared.
    first: int
    last: int
    compiled: float
    eager: float
    #: Seconds of all compiles of the first run.
    compiling: float

    @property
    def break_even(self) -> int | None:
        """Return after how many calls the compiles have paid; ``None`` if compiled code saves nothing."""
        saved = self.eager - self.compiled
        return int(self.compiling / saved) + 1 if saved > _CHANCE * self.eager else None


def compare_with_eager(run: Run) -> SteadyComparison | str:
    """Return the comparison of a run with its second run; or why there is none."""
    if run.eager is None:
        return "there was no second run"
    process, other = main_process(run), main_process(run.eager)
    region = stepping_region(process) if process else None
    if run.eager.status and not run.eager.stopped:
        return f"the second run, in eager mode, ended with status {run.eager.status}"
    if not process or not other or not region:
        return "no compiled function was called"
    if any(item.outcome == "compiled" for item in other.compiles):
        return "the second run compiled too: the program sets its own stance"
    same = [item for item in run.eager.processes if item.rank == process.rank and item.regions]
    spans = _spans(process, region.id)
    eager = _spans(max(same, key=lambda item: len(item.spans), default=other), region.id)
    begin = max((end for _, end in compiles_of(process)), default=0.0)
    before = sum(span.calls for span in spans if span.since < begin)
    if process.profile and process.profile.region == region.id:  # starting it and writing it down takes time
        before = max(before, process.profile.last + 1)
    compiled, in_eager = _a_call(spans, before), _a_call(eager, before)
    if compiled is None or in_eager is None:
        return f"{region.name} was called less than {_FEWEST} times after the last compile"
    return SteadyComparison(
        function=region.name,
        first=before + 1,
        last=sum(span.calls for span in spans),
        compiled=compiled,
        eager=in_eager,
        compiling=compile_seconds(process),
    )


def _spans(process: Process, region: int) -> list[Span]:
    return [span for span in process.spans if span.region == region]


def _a_call(spans: Sequence[Span], before: int) -> float | None:
    """Return the seconds from one call to the next, without the calls before."""
    done, kept = 0, []
    for span in spans:
        if done >= before:
            kept.append(span)
        done += span.calls
    calls = sum(span.calls for span in kept)
    return (kept[-1].end - kept[0].since) / calls if calls >= _FEWEST else None


def comparison_lines(run: Run) -> list[str]:
    """Return what the second run says; nothing if there was none."""
    if run.eager is None:
        return []
    found = compare_with_eager(run)
    if isinstance(found, str):
        return [f"Not compared with eager mode: {found}"]
    times = f"{table.duration(found.compiled)} a call compiled, {table.duration(found.eager)} in eager mode"
    ratio = found.eager / found.compiled
    if abs(found.eager - found.compiled) <= _CHANCE * found.eager:
        verdict = "no difference that two runs can show"
    elif ratio > 1:
        verdict = f"compiled code is {ratio:.2g} times as fast"
    else:
        verdict = f"compiled code takes {1 / ratio:.2g} times as long"
    lines = [f"Compared with eager mode, calls {found.first} to {found.last} of {found.function}: {times}: {verdict}"]
    if found.break_even is not None:
        lines.append(
            f"The {rough_duration(found.compiling)} of compiles pay after {found.break_even:,} calls; "
            f"this run had {found.last:,}"
        )
    return lines


def comparison_to_json(run: Run) -> dict[str, Any] | None:
    """Return the comparison as data; ``None`` if there is none."""
    found = compare_with_eager(run)
    if isinstance(found, str):
        return None
    return {
        "function": found.function,
        "first": found.first,
        "last": found.last,
        "compiled": round(found.compiled, 7),
        "eager": round(found.eager, 7),
        "break_even": found.break_even,
    }


def profile_of(run: Run) -> tuple[Process, Profile] | None:
    """Return the profile of the main process, or of the first one that has one."""
    main = main_process(run)
    processes = sorted(run.processes, key=lambda process: process is not main)
    found = [(process, process.profile) for process in processes if process.profile]
    return next((pair for pair in found if not pair[1].why), found[0] if found else None)


def profile_lines(run: Run) -> list[str]:
    """Return what ran in the profile; nothing if there is none."""
    found = profile_of(run)
    if found is None:
        return []
    process, profile = found
    if profile.why:
        return [f"No profile: {profile.why}"]
    region = process.region(profile.region)
    calls = f"call {profile.first}" if profile.steps == 1 else f"calls {profile.first} to {profile.last}"
    head = f"Profile of {calls} of {region.name if region else 'a region'}: {rough_duration(profile.seconds)}"
    ran = sum(work.seconds for work in profile.work)
    if profile.busy is not None:
        idle = max(0.0, 1 - profile.busy / profile.seconds)
        head += f"; {profile.device} was idle for {idle:.0%} of it"
    compiled = sum(work.seconds for work in profile.work if work.compiled)
    kind = "operators" if profile.busy is None else "kernels"
    lines = [
        f"{head}; {compiled / ran:.0%} of the time of {kind} in compiled code" if ran else f"{head}; no {kind} ran"
    ]
    for work in profile.work[:_NAMES]:
        where = "compiled" if work.compiled else "not compiled"
        times = f"{table.duration(work.seconds):>8} {work.seconds / ran:>4.0%}  {where:<12}"
        lines.append(f"  {times}  {shorten(work.name, _WIDTH)}, {counted(work.calls, 'call')}")
    return lines


def profile_to_json(run: Run) -> dict[str, Any] | None:
    """Return the profile as data; ``None`` if there is none."""
    found = profile_of(run)
    if found is None or found[1].why:
        return None
    process, profile = found
    region = process.region(profile.region)
    return {
        "function": region.name if region else None,
        "first": profile.first,
        "last": profile.last,
        "seconds": round(profile.seconds, 6),
        "device": profile.device,
        "busy": None if profile.busy is None else round(profile.busy, 6),
        "work": [
            {"name": work.name, "calls": work.calls, "seconds": round(work.seconds, 7), "compiled": work.compiled}
            for work in profile.work[:50]
        ],
    }
