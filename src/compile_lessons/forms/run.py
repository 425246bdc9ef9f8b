"""A run and its findings as text: a line that says where the time went, and at most four lines for each finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compile_lessons.facts.run import Compile, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.guards import most_telling
from compile_lessons.forms.steady import comparison_lines, profile_lines
from compile_lessons.forms.timeline import compile_seconds, joined, main_process, stepping_region, timeline
from compile_lessons.ground.site import address
from compile_lessons.ground.words import counted, file_line, rough_duration

#: Recompiles that are named below a condition of ``--fail-if`` that is true.
_RECOMPILES = 5


@dataclass(frozen=True, kw_only=True)
class Seconds:
    """Where the time of a run went, for the process that waited longest for compiles."""

    total: float
    compiling: float
    again: float
    compiled: float
    eager: float
    tracing: float


def seconds_of(run: Run) -> Seconds:
    """Add up the seconds of the process with the most compile time. Compiles that overlap count once."""
    process = main_process(run)
    if process is None:
        return Seconds(total=run.seconds, compiling=0, again=0, compiled=0, eager=0, tracing=0)
    compiled_regions = {item.region for item in process.compiles if item.outcome == "compiled"}
    running = [region for region in process.regions if region.id in compiled_regions]
    left = [region for region in process.regions if region.id not in compiled_regions]
    eager = sum(region.eager_seconds for region in running)
    return Seconds(
        total=run.seconds,
        compiling=compile_seconds(process),
        again=sum(end - start for start, end in joined((c.start, c.ends) for c in process.compiles if c.number)),
        compiled=sum(region.seconds - region.compile_seconds for region in running) - eager,
        eager=eager + sum(region.seconds - region.compile_seconds for region in left),
        tracing=sum(item.traced for item in process.compiles),
    )


def report(run: Run, findings: Sequence[Finding], source: bool = True) -> str:
    """Return the report. Without ``source`` it has no line of the program."""
    paragraphs = [head(run, findings)]
    paragraphs += [_finding(number, found, source) for number, found in enumerate(findings, 1)]
    if findings:
        paragraphs.append(_timeline(run))
    paragraphs += ["\n".join(comparison_lines(run)), "\n".join(profile_lines(run))]
    paragraphs += notes(run)
    return "\n\n".join(filter(None, paragraphs))


def recompile_lines(run: Run) -> list[str]:
    """Return a line for each recompile, the first ones: the user's line, the function, and what changed."""
    again = [
        item for process in run.processes for item in process.compiles if item.outcome == "compiled" and item.guards
    ]
    lines = [_recompile(item) for item in again[:_RECOMPILES]]
    return lines + ([f"  and {len(again) - _RECOMPILES} more"] if len(again) > _RECOMPILES else [])


def _recompile(item: Compile) -> str:
    guard = most_telling(item.guards)
    values = f": {guard.old} → {guard.new}" if guard.old and guard.new else ""
    return f"  {file_line(item.place.file, item.place.line)} {item.name}: {guard.what}{values}"


def notes(run: Run) -> list[str]:
    """Return what the report does not know, and why."""
    missing = sorted({name for process in run.processes for name in process.missing})
    lines = ["not watched, as this torch lacks it: " + ", ".join(missing)] if missing else []
    if not run.collected and run.processes:
        lines.append(
            "From TORCH_TRACE alone: it has compiles. It has no calls, so what ran in eager mode is not known."
        )
    return lines


def _timeline(run: Run) -> str:
    """Return the phases of the run; nothing if no calls are known."""
    process = main_process(run)
    table = timeline(process) if process else None
    region = stepping_region(process) if process else None
    return f"Timeline from the import of torch, by calls of {region.name}\n{table}" if table and region else ""


def head(run: Run, findings: Sequence[Finding]) -> str:
    """Return where the time went in one line, and in lines of their own how the run ended."""
    spent = seconds_of(run)
    share = f" ({spent.compiling / spent.total:.0%})" if spent.total else ""
    parts = [f"{rough_duration(spent.compiling)} compiling{share}"]
    if spent.again:
        parts[0] += f", {rough_duration(spent.again)} of that again"
    if run.collected:
        compiled = f"{rough_duration(spent.compiled)} in compiled code"
        parts.append(
            f"{compiled}, {rough_duration(spent.eager)} in eager mode under torch.compile" if spent.eager else compiled
        )
    parts.append(f"tracing cost {rough_duration(spent.tracing)}")
    ranks = len({process.rank for process in run.processes if process.rank is not None})
    head = f"{run.seconds:.1f} s{f' on {ranks} ranks' if ranks > 1 else ''}: {'; '.join(parts)}"
    if not any(process.compiles or process.regions for process in run.processes):
        head = f"{run.seconds:.1f} s: nothing was compiled"
    if run.collected and not run.processes:
        head += "\nno process imported torch where diagnose could see it: python -I, -E and -S hide PYTHONPATH"
    if run.stopped:
        head += f"\nstopped by {run.stopped}"
    if run.status:
        head += f"\nthe program ended with status {run.status}"
    faults = sum(found.severity == "fault" for found in findings)
    return head + ("" if findings else "\nno findings") + (f"\n{counted(faults, 'finding')}" if faults > 1 else "")


def _finding(number: int, found: Finding, source: bool) -> str:
    cost = f" [{rough_duration(found.seconds)}]" if found.seconds is not None else ""
    mark = "" if found.severity == "fault" else "advice: "
    lines = [f"{number}. {mark}{found.what}{cost}"]
    if found.where:
        lines.append("   " + _places(found.where, source))
    if found.evidence:
        lines.append("   " + "; ".join(found.evidence))
    lines.append(f"   Fix: {found.remedy}  {address(found.lesson)}")
    return "\n".join(lines)


def _places(where: Sequence[Location], source: bool) -> str:
    first = where[0]
    rest = list({(line.file, line.line): line for line in where}.values())[1:]
    text = f": {first.text}" if source and first.text else ""
    others = ", ".join(file_line(line.file, line.line) for line in rest[:3])
    more = f", {len(rest) - 3} more" if len(rest) > 3 else ""
    return f"{file_line(first.file, first.line)}{text}" + (f"  ({others}{more})" if others else "")
