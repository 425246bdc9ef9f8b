"""Compiles that ended with an exception."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compile_lessons.facts.places import innermost, is_not_torch, location
from compile_lessons.facts.run import Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.catalogue import catalogue, explain_message
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules_of_run.recompiles import function_name
from compile_lessons.ground.words import shorten

#: The user's line in torch's message: ``File "/work/train.py", line 8, in forward``.
_LINE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)')
_BREAK = "change this line; without fullgraph=True it is a graph break"


def failed_compiles(run: Run) -> Iterator[Finding]:
    """Yield a finding for each function whose compile raised, if the exception is torch.compile's."""
    for process in run.processes:
        for item in process.compiles:
            reason = item.reason or ""
            if item.outcome != "failed" or item.nested or not reason:
                continue
            region = process.region(item.region)
            use = innermost(reversed(region.stack)) if region else None
            first, _, rest = reason.partition("\n")
            if first.endswith("raised:"):  # BackendCompilerFailed: the error of the backend follows
                first = f"{first} {rest.partition(chr(10))[0]}"
            explanation = rest.partition("Explanation: ")[2].partition("\n")[0]
            lines = (_line(reason), use, item.code if is_not_torch(item.code.file) else None)
            remedy, lesson = _remedy(first)
            yield Finding(
                rule="compile-failed",
                severity="fault",
                what=f"compiling {function_name(item, region)} failed: {shorten(first, 100)}",
                where=tuple(dict.fromkeys(line for line in lines if line)),
                evidence=(shorten(explanation, 160),) if explanation else (),
                remedy=remedy,
                lesson=lesson,
            )


def _remedy(message: str) -> tuple[str, str]:
    """Return what to do about an exception, and the lesson."""
    if message.startswith("Unsupported"):
        return _BREAK, "fix/crashes"
    entry = explain_message(message)
    if entry is None or entry in catalogue().tables["classes"].rows:  # the class of an exception alone says too little
        return "look up the message in the lesson", "fix/crashes"
    return entry.words, entry.lesson


def _line(reason: str) -> Location | None:
    frames = [location(m["file"], int(m["line"]), m["function"]) for m in _LINE.finditer(reason)]
    return innermost(frame for frame in frames if is_not_torch(frame.file))
