"""Exceptions of a capture."""

import re
from collections.abc import Iterator

from compile_lessons.facts import Calls, Pipeline
from compile_lessons.findings.catalogue import explain_message
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.groups import grouped

#: What differs in one message between calls with other sizes: ``size=(4, s0)``.
_NUMBERS = re.compile(r"\bsize=\([^)]*\)|\d+")


def exceptions(captured: Pipeline | Calls) -> Iterator[Finding]:
    """Yield a finding for each exception, however many calls raised it. If eager mode raises, nothing else matters."""
    if isinstance(captured, Calls):
        failures = [call.error for call in captured.calls if call.error is not None]
    else:
        failures = [each for each in captured.failures if each.stage == "eager"] or list(captured.failures)
    groups = grouped(((failure.type, _NUMBERS.sub("", failure.message)), failure) for failure in failures)
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
