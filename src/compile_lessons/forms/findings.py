"""Findings as text: what happened, the lines, what the facts show, and the fix with its lesson."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from compile_lessons.findings.finding import Finding
from compile_lessons.forms.text import message_lines, place_text
from compile_lessons.ground.site import address
from compile_lessons.ground.words import wrap

#: So many places are shown of a finding.
_MOST_PLACES = 4


def findings_text(findings: Sequence[Finding], most: int, more: str) -> str:
    """Return the text of the first findings; ``more`` names the option that shows the others.

    A fix that the next finding repeats is written once, after the last of them.
    """
    fixes = [(found.remedy, found.lesson) for found in findings[:most]]
    shown = [
        finding_text(found if fixes[i : i + 1] != fixes[i + 1 : i + 2] else replace(found, remedy="", lesson=""))
        for i, found in enumerate(findings[:most])
    ]
    left = len(findings) - most
    return "\n".join([*shown, *([f"… {left} more {more}"] if left > 0 else [])])


def fix_lines(found: Finding) -> list[str]:
    """Return the remedy as lines; nothing if a finding has none, as a known bug has its own list."""
    return [wrap(f"  fix: {found.remedy}", " " * 7)] if found.remedy else []


def finding_text(found: Finding) -> str:
    """Return one finding. The evidence of an exception is the rest of its message."""
    mark = "" if found.severity == "fault" else "advice: "
    evidence = [wrap(f"  {line}", "    ") for line in found.evidence]
    if found.rule == "exception":
        evidence = message_lines(found.evidence)
    places = Counter(map(place_text, found.where))
    lines = [line if number == 1 else f"{line}  ({number} times)" for line, number in places.items()]
    if len(lines) > _MOST_PLACES:
        lines = [*lines[:_MOST_PLACES], f"  … {len(lines) - _MOST_PLACES} more places"]
    see = [f"  see {address(found.lesson)}"] if found.lesson else []
    return "\n".join([wrap(mark + found.what), *evidence, *lines, *fix_lines(found), *see])
