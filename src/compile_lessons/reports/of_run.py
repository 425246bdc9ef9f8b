"""From the facts of a run and its findings to the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any, TypeVar

from compile_lessons.facts.run import Compile, FailedCheck, Process, Run, joined
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.late import LateCall, late_calls
from compile_lessons.findings.rules.kernels import new_versions
from compile_lessons.findings.rules.raised import ends
from compile_lessons.findings.speed import SpeedComparison, compare_speed
from compile_lessons.reports.functions import compiled_functions, versions_of
from compile_lessons.reports.looked import between, looked_at, not_told
from compile_lessons.reports.report import (
    Counts,
    ProcessReport,
    ProfiledCalls,
    Report,
    Seconds,
    Version,
    distinct,
)
from compile_lessons.reports.timeline import even_pieces, phases

#: Pieces of a timeline.
_PIECES = 200

T = TypeVar("T")


def report_of(run: Run, findings: Sequence[Finding], source: bool = True) -> Report:
    """Return the report. Without ``source`` it has no line of the program, no graph, no guard's text and no code."""
    main = run.main
    seconds = _seconds(run, main)
    versions = [versions_of(process) for process in run.processes]
    recompiles = tuple(version for same in versions for version in same if version.is_recompile)
    comparison = compare_speed(run)
    profile = _profile(run, main)
    late = [late_calls(process) for process in run.processes]
    of_main = tuple(phases(main, late[run.processes.index(main)])) if main else ()
    counts = _counts(run, findings, len(recompiles), sum(map(len, late)), seconds)
    report = Report(
        findings=tuple(findings),
        command=run.command,
        status=run.status,
        stopped=run.stopped,
        seconds=seconds,
        counts=counts,
        comparison=comparison if isinstance(comparison, SpeedComparison) else None,
        profile=profile if isinstance(profile, ProfiledCalls) else None,
        torch=next((process.torch for process in run.processes if process.torch), None),
        processes=tuple(map(partial(_process, main), run.processes, versions, late)),
        missing=tuple(sorted({name for process in run.processes for name in process.missing})),
        unknown=_added([run.unknown, *(process.unknown for process in run.processes)]),
        lost=_added([run.lost, *(process.lost for process in run.processes)]),
        tuned=tuple(sorted({(each.named, each.best) for one in run.processes for each in one.searches if each.best})),
        collected=run.collected,
        unseen=tuple(process.pid for process in run.processes if run.collected and not process.collected),
        not_compared=comparison if isinstance(comparison, str) else "",
        not_profiled=profile if isinstance(profile, str) else "",
        recompiles=recompiles,
        looked_at=tuple(looked_at(run, counts)),
        between=tuple(between(main)) if main else (),
        not_told=tuple(not_told(run, main, of_main)),
        phases=of_main,
        functions=compiled_functions(versions[run.processes.index(main)], main.torch, findings) if main else (),
        torches=tuple(sorted({process.torch for process in run.processes if process.torch})),
    )
    return report if source else replace(_without_source(report), source=False)


def _without_source(value: T) -> T:
    """Return the same without the text of any line or guard, and without what the explorer shows."""
    without: Any = value
    if isinstance(without, tuple):
        without = tuple(map(_without_source, without))
    elif is_dataclass(value) and not isinstance(value, type):
        without = replace(value, **{field.name: _without_source(getattr(value, field.name)) for field in fields(value)})
    if isinstance(value, Location | FailedCheck):
        without = replace(without, text="")
    elif isinstance(value, Version):
        without = replace(without, pipeline=None)
    elif isinstance(value, Compile):
        without = replace(without, listings=())
    return without


def _added(pairs: Iterable[tuple[tuple[str, int], ...]]) -> tuple[tuple[str, int], ...]:
    """Add up numbers by their names, the largest first."""
    return tuple(sum((Counter(dict(each)) for each in pairs), Counter[str]()).most_common())


def _seconds(run: Run, main: Process | None) -> Seconds:
    """Add up the seconds of the main process. Compiles that overlap count once."""
    if main is None:
        return Seconds(total=run.seconds)
    with_code = main.compiled_regions
    running = [region for region in main.regions if region.id in with_code]
    left = [region for region in main.regions if region.id not in with_code]
    eager = sum(region.eager_seconds for region in running)
    seconds = Seconds(
        total=run.seconds,
        compiling=main.compile_seconds,
        again=sum(end - start for start, end in joined((c.start, c.ends) for c in main.compiles if c.number)),
        compiled=sum(region.seconds - region.compile_seconds for region in running) - eager,
        eager=eager + sum(region.seconds - region.compile_seconds for region in left),
        tracing=sum(item.traced for item in main.compiles),
        kernels=sum(item.seconds for item in main.kernels) if main.kernels_seen else None,
    )
    return seconds if main.calls_seen else replace(seconds, compiled=None, eager=None)


def _counts(run: Run, findings: Sequence[Finding], recompiles: int, late: int, seconds: Seconds) -> Counts:
    """Return the numbers that the run has shown. Where records are lost, that is none: each may be larger."""
    faults = sum(found.severity == "fault" for found in findings)
    if not run.complete:
        return Counts(findings=None if run.processes or run.lost else faults or None)
    outcomes = [item.outcome for process in run.processes for item in process.compiles]
    regions = [region for process in run.processes for region in process.regions]
    all_seen = run.calls_seen and run.breaks_seen
    return Counts(
        findings=faults if faults or all_seen or not run.collected else None,
        compiles=outcomes.count("compiled"),
        recompiles=recompiles,
        breaks=sum(len(found.where) for found in findings if found.rule == "graph-break") if run.breaks_seen else None,
        limits=outcomes.count("limit"),
        eager_calls=sum(region.eager_calls for region in regions) if run.calls_seen else None,
        calls=sum(region.calls for region in regions) if run.calls_seen else None,
        compile_seconds=seconds.compiling,
        late_compiles=late if run.calls_seen else None,
        kernel_compiles=sum(len(process.kernels) for process in run.processes) if run.kernels_seen else None,
        kernel_compiles_after_warmup=sum(map(len, map(new_versions, run.processes))) if run.kernels_seen else None,
        exceptions=sum(len(ends(run, process)) for process in run.processes) if run.calls_seen else None,
    )


def _process(
    main: Process | None, process: Process, versions: Sequence[Version], late: Sequence[LateCall]
) -> ProcessReport:
    compiled = [item for item in process.compiles if item.outcome == "compiled"]
    used = bool(process.compiles or process.regions or process.exports)
    return ProcessReport(
        pid=process.pid,
        rank=process.rank,
        start=process.start,
        end=process.end,
        compiling=process.compile_seconds,
        compiles=len(compiled),
        recompiles=sum(version.is_recompile for version in versions),
        breaks=distinct(process.breaks) if process.breaks_seen else None,
        calls=sum(region.calls for region in process.regions) if process.calls_seen else None,
        eager_calls=sum(region.eager_calls for region in process.regions) if process.calls_seen else None,
        compiled=used,
        main=process is main,
        timeline=tuple(even_pieces(process, _PIECES))
        if (used or process is main) and process.end > process.start
        else (),
        steps=process.steps.name if process.steps else "",
        step_starts=tuple(span.start for span in process.spans_of(process.steps)) if process.steps else (),
        late_starts=tuple(call.start for call in late),
    )


def _profile(run: Run, main: Process | None) -> ProfiledCalls | str:
    """Return the profile of the main process, or of the first one that has one; or why there is none."""
    processes = sorted(run.processes, key=lambda process: process is not main)
    profiles = [(process, process.profile) for process in processes if process.profile]
    process, profile = next((pair for pair in profiles if not pair[1].why), profiles[0] if profiles else (main, None))
    if profile is None or process is None or profile.why:
        return profile.why if profile else ""
    region = process.region(profile.region)
    return ProfiledCalls(
        function=region.name if region else None,
        first=profile.first,
        last=profile.last,
        seconds=profile.seconds,
        device=profile.device,
        busy=profile.busy,
        work=profile.work,
        rates=profile.rates,
    )
