"""What a report looked at, with its numbers, and what the run can't tell: no findings is no all-clear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compile_lessons.facts.run import Process, Run
from compile_lessons.findings.rules.skips import is_fault
from compile_lessons.findings.speed import CHANCE
from compile_lessons.findings.values import compared_values, first_difference, given_other_values
from compile_lessons.ground.words import rough_duration
from compile_lessons.reports.report import Between, Counts, Looked, TimelinePhase

#: A smaller share of the steady time outside of compiled functions, or fewer seconds, hide no model.
_SHARE, _SECONDS = 0.2, 0.01
#: Fewer looks at the program are chance, and a line with a smaller share of them isn't worth a change.
_LOOKS, _SHARE_OF_LINE = 20, 0.1


def looked_at(run: Run, counts: Counts) -> Iterator[Looked]:
    """Yield what the rules looked at in all processes."""
    compiles = [item for process in run.processes for item in process.compiles]
    caches = [cache for item in compiles for cache in item.caches]
    recorded = [each for process in run.processes for each in process.intervals if "CUDAGRAPH" in each.trigger]
    packages = [each for process in run.processes for each in process.intervals if each.trigger == "AOTINDUCTOR"]
    numbers = {
        "compile": counts.compiles,
        "recompile": counts.recompiles,
        "graph break": sum(len(process.breaks) for process in run.processes) if run.breaks_seen else None,
        "recompile limit": counts.limits,
        "skipped function": sum(item.outcome == "skipped" and is_fault(item) for item in compiles),
        "failed compile": sum(item.outcome == "failed" for item in compiles),
        "guard": sum(item.guard_count or 0 for item in compiles),
        "cached graph": caches.count("hit"),
        "uncached graph": len(caches) - caches.count("hit"),
        "Triton kernel compile": counts.kernel_compiles,
        "CUDA graph recording": len(recorded),
        "exported program": sum(len(process.exports) for process in run.processes) if run.calls_seen else None,
        "AOTInductor package": len(packages) if run.calls_seen else None,
        "call": counts.calls,
        "eager call": counts.eager_calls,
    }
    if run.eager is not None:
        numbers["compared value"] = compared_values(run, run.eager)
    for what, number in numbers.items():
        yield Looked(what, number if run.complete else None)


def between(main: Process) -> Iterator[Between]:
    """Yield the lines outside of compiled functions that take much of the steady time."""
    for line, share in main.between if main.looked >= _LOOKS else ():
        if share >= _SHARE_OF_LINE:
            yield Between(line, share)


def not_told(run: Run, main: Process | None, phases: Sequence[TimelinePhase]) -> Iterator[str]:
    """Yield what the run can't tell, with the command that can."""
    if main is None or not main.compiled_regions:
        return
    if run.eager is None:
        yield "whether eager mode computes and prints the same, or is faster: `--compare eager`"
    else:
        last = max((samples.call for samples in main.samples), default=0)
        of_explain = ": `compile-lessons explain FILE.py:NAME`"
        yield f"whether results equal those of eager mode after call {last}, or in other threads{of_explain}"
        if unlike := given_other_values(run, run.eager):
            yield f"whether results are right from call {unlike.call} on, as the two runs don't give it the same inputs"
        elif run.with_roundings and not first_difference(run.with_roundings, run.eager, run.moved):
            yield "which random numbers or roundings are right: results differ from eager mode's by these"
    steady = [phase.piece for phase in phases if phase.first]
    if steady and main.profile is None and not any(between(main)):
        compiling, *_, other = steady[-1].parts
        share = other / steady[-1].seconds
        if compiling < CHANCE * steady[-1].seconds and share >= _SHARE and other >= _SECONDS:
            words = f"{share:.0%} of the time of the last calls, {rough_duration(other)}"
            yield f"what ran between the calls of compiled functions: {words}: `--profile-steps 10`"
    if main.profile is None and any(item.gpu_memory is not None for item in main.compiles):
        yield "how long the GPU waits: `--profile-steps 10`"
