"""Functions whose calls take much of their time before the compiled code begins."""

from collections.abc import Iterator

from compile_lessons.facts.run import Compile, Region, Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import counted, rough_duration
from compile_lessons.show.table import duration

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
        gpu = any(item.gpu_memory is not None for item in process.compiles)
        for region in process.regions:
            compiles = [item for item in process.compiles if item.region == region.id and item.outcome == "compiled"]
            lost = region.guard_seconds
            if not compiles or region.guarded_calls < _CALLS or lost < max(_SECONDS, _SHARE_OF_RUN * run.seconds):
                continue
            running = region.seconds - region.compile_seconds - region.eager_seconds
            a_call = running / max(1, region.calls - region.eager_calls)
            if lost / region.guarded_calls >= _SHARE * a_call:
                yield _finding(region, compiles, a_call, gpu)


def _finding(region: Region, compiles: list[Compile], a_call: float, gpu: bool) -> Finding:
    most = max(compiles, key=lambda item: item.guard_count or 0)
    guards = most.guard_count or 0
    is_short = guards < _GUARDS
    line, count = most.guarded_line or (None, 0)
    cause = f"{count} of {guards} guards are from this line" if line else f"{guards} guards"
    if is_short:
        line, cause = None, f"{counted(max(item.operations or 0 for item in compiles), 'operation')} in a graph"
    checks = duration(region.guard_seconds / region.guarded_calls)
    return finding(
        fix("short-calls" if is_short else "slow-guards"),
        f"checking guards takes {checks} of each call of {region.name}, which takes {duration(a_call)}"
        + (": so short a call may be faster in eager mode" if is_short else ""),
        advice=is_short or gpu,
        seconds=region.guard_seconds,
        where=(line, region.code, region.use),
        evidence=(
            f"{counted(region.guarded_calls, 'call')} in {rough_duration(region.seconds - region.compile_seconds)}",
            "a GPU may still be at work in this time" if gpu else "",
            cause,
        ),
    )
