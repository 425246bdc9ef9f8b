"""A finding: what is wrong, where, what it costs, and what to do."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from compile_lessons.facts.source import Location, is_not_torch, is_user_file
from compile_lessons.findings.catalogue import Fix


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


def finding(
    fix: Fix,
    what: str,
    *,
    advice: bool = False,
    seconds: float | None = None,
    where: Iterable[Location | None] = (),
    evidence: Iterable[str] = (),
) -> Finding:
    """Return a finding with the words of the catalogue.

    Lines of the user's come before those of libraries. Lines of torch's are shown only where there are no others.
    """
    lines = sorted(dict.fromkeys(line for line in where if line), key=lambda line: not is_user_file(line.file))
    return Finding(
        rule=fix.rule,
        severity="advice" if advice else "fault",
        what=what,
        seconds=seconds,
        where=tuple(line for line in lines if is_not_torch(line.file)) or tuple(lines),
        evidence=tuple(line for line in evidence if line),
        remedy=fix.remedy,
        lesson=fix.lesson,
    )


#: What ended the program comes first; the time of first compiles is said after what can be told apart from it.
_ORDER = {"exception": -2, "compile-failed": -1, "compile-time": 1}


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return faults before advice; among them, those with seconds first, the most seconds first.

    Those with the same milliseconds stay in their order: one rule may add up the times of another in another order.
    """

    def order(found: Finding) -> tuple[bool, int, bool, float]:
        seconds = found.seconds
        return found.severity != "fault", _ORDER.get(found.rule, 0), seconds is None, -round(seconds or 0, 3)

    return sorted(findings, key=order)
