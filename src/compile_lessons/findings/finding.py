"""A finding: what is wrong, where, what it costs, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from compile_lessons.facts.source import Location


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What is wrong or could be better, for a reader who knows the program and not torch.compile."""

    #: The rule that found it: ``recompile-limit``.
    rule: str
    severity: Literal["fault", "advice"]
    #: What happened, in one sentence.
    what: str
    #: Wall seconds that it cost in this run; ``None`` if they can't be told.
    seconds: float | None = None
    #: The lines to look at, the one to change first.
    where: tuple[Location, ...] = ()
    #: What the run showed: the old value and the new one, numbers of calls.
    evidence: tuple[str, ...] = ()
    remedy: str = ""
    #: The page that explains it: ``dynamo/recompiles``.
    lesson: str = ""


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return faults before advice; among them, those with seconds first, the most seconds first."""
    return sorted(findings, key=lambda found: (found.severity != "fault", found.seconds is None, -(found.seconds or 0)))
