"""Compiles that ended with an exception."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compile_lessons.facts.places import innermost, is_not_torch, location
from compile_lessons.facts.run import Compile, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.catalogue import catalogue, explain_break, explain_message
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.guards import most_telling
from compile_lessons.findings.rules_of_run.compile_time import STOPPED
from compile_lessons.findings.rules_of_run.recompiles import function_name
from compile_lessons.ground.words import shorten

#: The user's line in torch's message: ``File "/work/train.py", line 8, in forward``.
_LINE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)')
_BREAK = "move this line out of the compiled function, or leave out fullgraph=True: then it is a graph break"
#: torch's address of a graph break: ``…/gb/gb0170.html``.
_GB = re.compile(r"/gb(\d+)\.html")


def failed_compiles(run: Run) -> Iterator[Finding]:
    """Yield a finding for each function whose compile raised, if the exception is torch.compile's."""
    for process in run.processes:
        for item in process.compiles:
            reason = item.reason or ""
            if item.outcome != "failed" or item.nested or not reason or reason.startswith(STOPPED):
                continue
            region = process.region(item.region)
            use = innermost(reversed(region.stack)) if region else None
            first, _, rest = reason.partition("\n")
            if first.endswith("raised:"):  # BackendCompilerFailed: the error of the backend follows
                first = f"{first} {rest.partition(chr(10))[0]}"
            explanation = rest.partition("Explanation: ")[2].partition("\n")[0]
            lines = (_line(reason), use, item.code if is_not_torch(item.code.file) else None)
            remedy, lesson = _remedy(item, first)
            yield Finding(
                rule="compile-failed",
                severity="fault",
                what=f"compiling {function_name(item, region)} failed: {shorten(first, 100)}",
                where=tuple(dict.fromkeys(line for line in lines if line)),
                evidence=(shorten(explanation, 160),) if explanation else (),
                remedy=remedy,
                lesson=lesson,
            )


def _remedy(item: Compile, message: str) -> tuple[str, str]:
    """Return what to do about an exception, and the lesson."""
    if message.startswith("Unsupported"):
        link = _GB.search(item.reason or "")
        known = explain_break(f"GB{link[1]}") if link else None
        return (known.words, known.lesson) if known and known.remedy else (_BREAK, "fix/crashes")
    if item.guards:  # the limit, where fullgraph=True or a setting makes it an error
        guard = most_telling(item.guards)
        return guard.remedy, guard.cause.lesson
    entry = explain_message(message)
    if entry is None or entry in catalogue().tables["classes"].rows:  # the class of an exception alone says too little
        return _in_eager_mode(item, message), "fix/crashes"
    return entry.words, entry.lesson


def _in_eager_mode(item: Compile, message: str) -> str:
    """Return what goes on without the cause: leave one function, or Inductor, out."""
    eager = f"@torch.compiler.disable above {item.code.function} has it run in eager mode"
    if message.startswith(("BackendCompilerFailed", "InductorError")):
        return f'if TORCH_COMPILE_OVERRIDE_BACKENDS=">=0:aot_eager" runs without the error, it is Inductor\'s; {eager}'
    return f"{eager}, or disable the smaller function that it calls in this line"


def _line(reason: str) -> Location | None:
    frames = [location(m["file"], int(m["line"]), m["function"]) for m in _LINE.finditer(reason)]
    return innermost(frame for frame in frames if is_not_torch(frame.file))
