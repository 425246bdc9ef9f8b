"""The functions that a process compiled, with their versions, and which of these open in an explorer."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from compile_lessons.facts.frames import Break
from compile_lessons.facts.pipeline import Pipeline
from compile_lessons.facts.run import Compile, Process
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.guards import most_telling, read_guard, recompiled
from compile_lessons.findings.rules.compile_time import stages_in_words
from compile_lessons.ground.words import rough_duration
from compile_lessons.reports.report import CompiledFunction, Version
from compile_lessons.trace.versions import pipeline_of

#: Versions that open in an explorer, in all and of one function, and characters of their graphs, guards and code.
_VERSIONS, _OF_FUNCTION, _CHARACTERS = 12, 4, 800_000
#: Parts of the seconds of stages.
_INSIDE = ("kernels", "autotuning", "cudagraphify")


def versions_of(process: Process) -> list[Version]:
    """Return the compiles of a process, with what torch's texts of failed guards say."""
    breaks: dict[str, list[Break]] = defaultdict(list)
    for found in process.breaks:
        breaks[found.compile].append(found)
    failed = {id(item): guards for same in process.functions() for item, guards in recompiled(same)}
    return [
        Version(
            compile=item,
            breaks=tuple(breaks[item.id]),
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
    by_function: dict[tuple[str, int, str], list[Version]] = defaultdict(list)
    for version in versions:
        item = version.compile
        by_function[item.code.file, item.code.line, item.name].append(version)
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
