"""Exceptions, each once, with what the catalogue says about its message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from compile_lessons.facts import Calls, Pipeline, StageFailure
from compile_lessons.findings.catalogue import explain_message
from compile_lessons.findings.finding import Finding

#: What differs in one message between calls with other sizes: ``size=(4, s0)``.
_NUMBERS = re.compile(r"\bsize=\([^)]*\)|\d+")


def exceptions(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield a finding for each exception. If eager mode raises too, nothing else matters."""
    eager = [failure for failure in pipeline.failures if failure.stage == "eager"]
    return _findings(eager or pipeline.failures)


def exceptions_of_calls(calls: Calls) -> Iterator[Finding]:
    """Yield a finding for each exception, however many calls raised it."""
    return _findings(call.error for call in calls.calls if call.error is not None)


def _findings(failures: Iterable[StageFailure]) -> Iterator[Finding]:
    groups: dict[tuple[str, str], list[StageFailure]] = {}
    for failure in failures:
        groups.setdefault((failure.type, _NUMBERS.sub("", failure.message)), []).append(failure)
    for (kind, _), same in groups.items():
        message = same[0].message
        first, *more = message.splitlines() or [""]
        names = dict.fromkeys(failure.stage for failure in same)
        compiled = any(name != "eager" for name in names)
        entry = explain_message(f"{kind}: {message}") if compiled else None
        yield Finding(
            rule="exception",
            severity="fault",
            what=f"{' and '.join(names)} failed: {kind}: {first}",
            where=tuple(dict.fromkeys(failure.location for failure in same if failure.location)),
            evidence=tuple(more),
            remedy=entry.words if entry else "",
            lesson=entry.lesson if entry else "",
        )
