"""A run and its findings as JSON, and what a program may compare with: counts and seconds.

==========  ==========================================================================================================
schema      1. It changes when a field is removed, renamed or changes its meaning; new fields leave it as it is
findings    in the order of the report, the worst first. Each has ``rule``, ``severity`` (``fault`` or ``advice``),
            ``what`` (a sentence), ``seconds`` (``null`` if they can't be told), ``where`` (a list of ``file``,
            ``line``, ``function`` and, without --no-source, ``text``; the line to change first), ``evidence`` (a list
            of sentences), ``remedy`` and ``lesson`` (an address)
command     the words of the command
status      the program's, as a shell shows it; ``null`` for --trace
stopped     why the program was asked to end: ``--seconds 60``, ``--steps 100``, ``Ctrl-C``; empty otherwise
seconds     ``total``, ``compiling``, ``again`` (part of it), ``compiled`` (in compiled regions), ``eager`` (in eager
            mode under torch.compile), ``tracing`` (what writing torch's trace took)
counts      what --fail-if compares: ``findings`` (faults), ``compiles``, ``recompiles``, ``breaks`` (lines),
            ``limits``, ``eager_calls``, ``calls``, ``compile_seconds``
torch       the version
processes   ``pid`` and ``rank`` of each process that imported torch
missing     what this torch lacks and could not be watched
==========  ==========================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from compile_lessons.facts.run import Run
from compile_lessons.findings.finding import Finding
from compile_lessons.forms.run import seconds_of
from compile_lessons.ground.site import address

#: Version of the JSON form.
SCHEMA = 1


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
