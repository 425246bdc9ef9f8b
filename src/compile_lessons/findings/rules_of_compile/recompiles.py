"""Calls that recompile, by what changed, and calls that run in eager mode because of a limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compile_lessons.facts import Calls
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.guards import FailedGuard, read_guard
from compile_lessons.findings.rules_of_compile.skips import LIMIT, LIMIT_LESSON, LIMIT_REMEDY
from compile_lessons.ground.words import counted, short_number

#: Fewer recompiles for one cause are how torch learns which sizes and numbers change.
_LEAST = 3


def recompiles(calls: Calls) -> Iterator[Finding]:
    """Yield a finding for each cause: what changed, its values, and how many calls it cost a compile."""
    causes: dict[tuple[str, str], list[FailedGuard]] = {}
    counts = Counter[tuple[str, str]]()
    seen: set[str] = set()
    for call in calls.calls:
        # torch lists a guard of each version. Those of older versions stood in the list of an earlier call.
        new = [text for text in call.failed if text not in seen] or list(call.failed[:1])
        seen |= set(call.failed)
        for guard in {guard.key: guard for guard in map(read_guard, new)}.values():
            causes.setdefault(guard.key, []).append(guard)
            counts[guard.key] += call.outcome != "eager"
    for key, same in causes.items():
        values = list(dict.fromkeys(short_number(value) for guard in same for value in (guard.old, guard.new) if value))
        shown = values if len(values) <= 5 else [*values[:3], "…", values[-1]]
        yield Finding(
            rule="recompile",
            severity="fault" if counts[key] >= _LEAST else "advice",
            what=f"{counted(counts[key], 'recompile')}. What changes: {same[0].what}",
            evidence=(" → ".join(shown),) if len(shown) > 1 else (),
            remedy=same[0].remedy,
            lesson=same[0].cause.lesson,
        )


def limits(calls: Calls) -> Iterator[Finding]:
    """Yield a finding if calls ran in eager mode because there were too many versions."""
    hit = [call for call in calls.calls if LIMIT.search(call.skipped)]
    if hit:
        yield Finding(
            rule="recompile-limit",
            severity="fault",
            what=f"{counted(len(hit), 'call')} ran in eager mode, from call {hit[0].index} on: the limit of compiled "
            "versions is reached",
            remedy=LIMIT_REMEDY,
            lesson=LIMIT_LESSON,
        )
