"""A run and its findings as JSON, and what a program may compare with: counts and seconds.

``FIELDS`` documents the form. The site's page on ``diagnose`` shows it, and ``SKILL.md`` uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from compile_lessons.facts.run import Run
from compile_lessons.findings.finding import Finding
from compile_lessons.forms.run import seconds_of
from compile_lessons.forms.steady import comparison_to_json, profile_to_json
from compile_lessons.ground.site import address

#: Version of the JSON form.
SCHEMA = 1
#: The fields by their paths, in the order of the file, with what each means. ``[]`` stands for each item of a list.
FIELDS = {
    "schema": f"{SCHEMA}. It changes when a field is removed, renamed or changes its meaning, "
    "but not when a field is added",
    "findings": "a list in the order of the report: faults before advice, and the most seconds first",
    "findings[].rule": "the name of the rule that made the finding, such as recompile-limit",
    "findings[].severity": "fault or advice",
    "findings[].what": "what happened, in a sentence",
    "findings[].seconds": "wall seconds that it cost in this run; null if that is not known",
    "findings[].where": "a list of lines; the first one is the line to change first. It may be empty",
    "findings[].where[].file": "the path of the file",
    "findings[].where[].line": "the number of the line",
    "findings[].where[].function": "the function that the line is in; empty if it is not known",
    "findings[].where[].text": "the line itself; not there with --no-source",
    "findings[].evidence": "a list of sentences: what the run showed, such as the old value and the new one",
    "findings[].remedy": "what to do",
    "findings[].lesson": "the address of the lesson that explains it",
    "command": "a list of the words of the command; empty for --trace",
    "status": "the program's exit status as a shell shows it; null for --trace",
    "stopped": "why the program was asked to end: --seconds 60, --steps 100, Ctrl-C; empty if it ended by itself",
    "seconds": "where the time went, in the process that spent the most time on compiles",
    "seconds.total": "the whole run",
    "seconds.compiling": "compiles; those that overlap count once",
    "seconds.again": "the part of compiling that went into functions that had been compiled before",
    "seconds.compiled": "calls of compiled functions, without their compiles and without eager",
    "seconds.eager": "calls of compiled functions that ran in eager mode",
    "seconds.tracing": "writing torch's trace",
    "counts": "numbers of all processes; --fail-if compares them",
    "counts.findings": "findings that are faults",
    "counts.compiles": "compiles that ended with compiled code",
    "counts.recompiles": "those of them for which the guards of an earlier version failed",
    "counts.breaks": "lines with a graph break",
    "counts.limits": "functions that reached the recompile limit",
    "counts.eager_calls": "calls of compiled functions in which a function ran in eager mode, as no version fit",
    "counts.calls": "calls of compiled functions",
    "counts.compile_seconds": "the same as seconds.compiling",
    "comparison": "with --compare eager, what the second run says; null if there is none",
    "comparison.function": "the compiled function that is called most often",
    "comparison.first": "the first call that is compared, the first one after the last compile",
    "comparison.last": "the last call that is compared",
    "comparison.compiled": "seconds from one call to the next in the first run",
    "comparison.eager": "the same in the second run, in eager mode",
    "comparison.break_even": "the number of calls after which all compiles have paid; null if they don't",
    "profile": "with --profile-steps, what ran in a few calls; null if there is none",
    "profile.function": "the function whose calls are profiled",
    "profile.first": "the first call that is profiled",
    "profile.last": "the last call that is profiled",
    "profile.seconds": "from the first call to the end of the last one",
    "profile.device": "the name of the GPU; null on the CPU",
    "profile.busy": "seconds in which the GPU ran something; null on the CPU",
    "profile.work": "a list of kernels of the GPU, or of operators on the CPU, the most seconds first, at most 50",
    "profile.work[].name": "the name of the kernel or operator",
    "profile.work[].calls": "how often it ran",
    "profile.work[].seconds": "how long it ran, without the operators that it called",
    "profile.work[].compiled": "whether compiled code ran it",
    "torch": "torch's version; null if no process imported torch",
    "processes": "a list of the processes that imported torch",
    "processes[].pid": "the number of the process",
    "processes[].rank": "its rank; null if it has none",
    "missing": "a list of what this torch lacks, so that it could not be watched",
}


def run_to_json(run: Run, findings: Sequence[Finding], source: bool = True) -> dict[str, Any]:
    """Return the report as data. Without ``source`` it has no line of the program."""
    return {
        "schema": SCHEMA,
        "findings": [_finding(found, source) for found in findings],
        "command": list(run.command),
        "status": run.status,
        "stopped": run.stopped,
        "seconds": {name: round(value, 4) for name, value in asdict(seconds_of(run)).items()},
        "counts": counts_of(run, findings),
        "comparison": comparison_to_json(run),
        "profile": profile_to_json(run),
        "torch": next((process.torch for process in run.processes if process.torch), None),
        "processes": [{"pid": process.pid, "rank": process.rank} for process in run.processes],
        "missing": sorted({name for process in run.processes for name in process.missing}),
    }


def counts_of(run: Run, findings: Sequence[Finding]) -> dict[str, float]:
    """Return the numbers that ``--fail-if`` knows."""
    compiles = [item for process in run.processes for item in process.compiles]
    regions = [region for process in run.processes for region in process.regions]
    return {
        "findings": sum(found.severity == "fault" for found in findings),
        "compiles": sum(item.outcome == "compiled" for item in compiles),
        "recompiles": sum(item.outcome == "compiled" and bool(item.guards) for item in compiles),
        "breaks": sum(found.rule == "graph-break" and len(found.where) for found in findings),
        "limits": sum(item.outcome == "limit" for item in compiles),
        "eager_calls": sum(region.eager_calls for region in regions),
        "calls": sum(region.calls for region in regions),
        "compile_seconds": round(seconds_of(run).compiling, 3),
    }


def _finding(found: Finding, source: bool) -> dict[str, Any]:
    where = [
        {"file": line.file, "line": line.line, "function": line.function} | ({"text": line.text} if source else {})
        for line in found.where
    ]
    return {
        "rule": found.rule,
        "severity": found.severity,
        "what": found.what,
        "seconds": None if found.seconds is None else round(found.seconds, 4),
        "where": where,
        "evidence": list(found.evidence),
        "remedy": found.remedy,
        "lesson": address(found.lesson),
    }
