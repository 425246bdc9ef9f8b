"""Functions whose calls take much of their time before the compiled code begins."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lessons.facts.places import innermost, is_not_torch
from compile_lessons.facts.run import Compile, Process, Region, Run
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.words import counted, rough_duration

#: Fewer calls, or less time in all, in seconds and as a share of the run, are not worth a change.
_CALLS = 100
_SECONDS = 0.1
_SHARE_OF_RUN = 0.02
#: The share of a call.
_SHARE = 0.3
#: From this number of guards on they are the cause, and below it the call is short.
_GUARDS = 100


def slow_guards(run: Run) -> Iterator[Finding]:
    """Yield a finding for each use of torch.compile. Where the program has a GPU, the host may have time to spare."""
    for process in run.processes:
        for region in process.regions:
            compiles = [item for item in process.compiles if item.region == region.id and item.outcome == "compiled"]
            if compiles and _is_slow(region, run):
                yield _finding(process, region, compiles)


def _is_slow(region: Region, run: Run) -> bool:
    lost = region.guard_seconds
    return (
        region.guarded_calls >= _CALLS
        and lost >= max(_SECONDS, _SHARE_OF_RUN * run.seconds)
        and _of_guards(region) >= _SHARE * _of_call(region)
    )


def _of_guards(region: Region) -> float:
    return region.guard_seconds / region.guarded_calls


def _of_call(region: Region) -> float:
    running = region.seconds - region.compile_seconds - region.eager_seconds
    return running / max(1, region.calls - region.eager_calls)


def _finding(process: Process, region: Region, compiles: list[Compile]) -> Finding:
    most = max(compiles, key=lambda item: item.guard_count or 0)
    guards = most.guard_count or 0
    gpu = any(item.gpu_memory is not None for item in process.compiles)
    spent = f"{_micro(_of_guards(region))} of each call of {region.name}, which takes {_micro(_of_call(region))}"
    use = innermost(reversed(region.stack))
    evidence = [f"{counted(region.guarded_calls, 'call')} in {rough_duration(region.seconds - region.compile_seconds)}"]
    evidence += ["a GPU may still be at work in this time"] if gpu else []
    if guards < _GUARDS:
        return Finding(
            rule="short-calls",
            severity="advice",
            what=f"checking guards takes {spent}: so short a call may be faster in eager mode",
            seconds=region.guard_seconds,
            where=tuple(line for line in (region.code, use) if line and is_not_torch(line.file)),
            evidence=(*evidence, f"{counted(max(item.operations or 0 for item in compiles), 'operation')} in a graph"),
            remedy="compile the function that makes these calls, and time both",
            lesson="measure/slower",
        )
    line, count = most.guarded_line or (None, 0)
    evidence.append(f"{count} of {guards} guards are from this line" if line else f"{guards} guards")
    return Finding(
        rule="slow-guards",
        severity="advice" if gpu else "fault",
        what=f"checking guards takes {spent}",
        seconds=region.guard_seconds,
        where=tuple(dict.fromkeys(line for line in (line, region.code, use) if line and is_not_torch(line.file))),
        evidence=tuple(evidence),
        remedy=(
            "compute what these objects give once, in __init__, and keep a tensor or a number; "
            "or make calls longer, with larger batches"
        ),
        lesson="measure/slower",
    )


def _micro(seconds: float) -> str:
    return f"{1e6 * seconds:.0f} µs"
