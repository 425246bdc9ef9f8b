"""From the facts of a run and its findings to the report."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any, TypeVar

from compile_lessons.facts.pipeline import Pipeline
from compile_lessons.facts.run import Compile, FailedCheck, Process, Run, joined
from compile_lessons.facts.source import Location
from compile_lessons.findings import compared
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.guards import most_telling, read_guard, recompiled
from compile_lessons.findings.late import LateCall, late_calls
from compile_lessons.findings.rules.compile_time import stages_in_words
from compile_lessons.findings.rules.kernels import new_versions
from compile_lessons.findings.rules.raised import ends
from compile_lessons.findings.rules.skips import is_fault
from compile_lessons.ground.groups import grouped
from compile_lessons.ground.words import rough_duration
from compile_lessons.reports.report import (
    Between,
    CompiledFunction,
    Counts,
    Looked,
    ProcessReport,
    ProfiledCalls,
    Report,
    Seconds,
    TimelinePhase,
    Version,
    distinct,
)
from compile_lessons.reports.timeline import even_pieces, phases
from compile_lessons.trace.versions import pipeline_of

#: Pieces of a timeline.
_PIECES = 200

T = TypeVar("T")


def report_of(run: Run, findings: Sequence[Finding], source: bool = True) -> Report:
    """Return the report. Without ``source`` it has no line of the program, no graph, no guard's text and no code."""
    main = run.main
    seconds = _seconds(run, main)
    versions = [versions_of(process) for process in run.processes]
    recompiles = tuple(version for same in versions for version in same if version.is_recompile)
    comparison = compared.compare_speed(run)
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
        comparison=comparison if isinstance(comparison, compared.SpeedComparison) else None,
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


#: Versions that open in an explorer, in all and of one function, and characters of their graphs, guards and code.
_VERSIONS, _OF_FUNCTION, _CHARACTERS = 12, 4, 800_000
#: Parts of the seconds of stages.
_INSIDE = ("kernels", "autotuning", "cudagraphify")


def versions_of(process: Process) -> list[Version]:
    """Return the compiles of a process, with what torch's texts of failed guards say."""
    breaks = grouped((found.compile, found) for found in process.breaks)
    failed = {id(item): guards for same in process.functions() for item, guards in recompiled(same)}
    return [
        Version(
            compile=item,
            breaks=tuple(breaks.get(item.id, ())),
            use=process.use_of(item),
            guards=tuple(
                read_guard(guard.text, guard.new, parameter=guard.parameter) for guard in failed.get(id(item), ())
            ),
            because=most_telling(failed[id(item)]) if id(item) in failed else None,
            numbers=_numbers(item),
        )
        for item in process.compiles
    ]


def _numbers(item: Compile) -> dict[str, str]:
    stages = stages_in_words(item)
    inside = [f"{part} {rough_duration(item.stages[part])}" for part in _INSIDE if part in item.stages]
    numbers = {
        "compile time": rough_duration(item.seconds) + (f": {stages}" if stages else ""),
        "of that": ", ".join(inside),
        "operations": "" if item.operations is None else str(item.operations),
        "guards": "" if item.guard_count is None else str(item.guard_count),
        "Inductor's cache": ", ".join(item.caches),
    }
    return {name: value for name, value in numbers.items() if value}


def compiled_functions(
    versions: Sequence[Version], torch: str | None, findings: Sequence[Finding]
) -> tuple[CompiledFunction, ...]:
    """Return the functions, those that took longest first."""
    by_function = grouped(((v.compile.code.file, v.compile.code.line, v.compile.name), v) for v in versions)
    longest_first = sorted(by_function.values(), key=lambda same: -sum(version.compile.seconds for version in same))
    opened = _to_open(longest_first, torch or "", findings)
    return tuple(
        CompiledFunction(
            name=same[0].compile.name,
            code=same[0].compile.code,
            versions=tuple(replace(version, pipeline=opened.get(version.compile.id)) for version in same),
        )
        for same in longest_first
    )


def _to_open(
    functions: Sequence[Sequence[Version]], torch: str, findings: Sequence[Finding]
) -> dict[str, Pipeline | None]:
    """Return the versions that open in an explorer, by their ids.

    First come functions that a finding names, and of each the first versions and the newest.
    """
    named = {(line.file, line.line) for found in findings for line in found.where}

    def is_named(same: Sequence[Version]) -> bool:
        places = (place for version in same for place in (version.compile.code, version.compile.place))
        return any((place.file, place.line) in named for place in places)

    opened: dict[str, Pipeline | None] = {}
    left = _CHARACTERS
    for same in sorted(functions, key=lambda same: not is_named(same)):
        shown = [version for version in same if version.has_graph]
        for version in [*shown[: _OF_FUNCTION - 1], *shown[_OF_FUNCTION - 1 :][-1:]]:
            size = sum(len(listing.text) for listing in version.compile.listings)
            if len(opened) < _VERSIONS and size <= left:
                opened[version.compile.id] = pipeline_of(version.compile, version.breaks, torch)
                left -= size
    return opened


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
        numbers["compared value"] = compared.compared_values(run, run.eager)
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
        if unlike := compared.given_other_values(run, run.eager):
            yield f"whether results are right from call {unlike.call} on, as the two runs don't give it the same inputs"
        elif run.with_roundings and not compared.first_difference(run.with_roundings, run.eager, run.moved):
            yield "which random numbers or roundings are right: results differ from eager mode's by these"
    steady = [phase.piece for phase in phases if phase.first]
    if steady and main.profile is None and not any(between(main)):
        compiling, *_, other = steady[-1].parts
        share = other / steady[-1].seconds
        if compiling < compared.CHANCE * steady[-1].seconds and share >= _SHARE and other >= _SECONDS:
            words = f"{share:.0%} of the time of the last calls, {rough_duration(other)}"
            yield f"what ran between the calls of compiled functions: {words}: `--profile-steps 10`"
    if main.profile is None and any(item.gpu_memory is not None for item in main.compiles):
        yield "how long the GPU waits: `--profile-steps 10`"
