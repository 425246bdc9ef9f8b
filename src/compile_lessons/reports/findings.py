"""Findings as text, of a compile and of a run: what happened, the lines, what the facts show, and the fix."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.colors import red, yellow
from compile_lessons.ground.site import address
from compile_lessons.ground.words import file_line, rough_duration, wrap
from compile_lessons.reports.part_text import message_lines

#: Lines of a finding that have their text for 100 columns, and more lines that are named.
_PLACES, _OTHERS = 4, 3


def finding_lines(found: Finding, places: int = 1) -> list[str]:
    """Return what happened, lines of the program, so many with their text, and what the facts show."""
    cost = f" [{rough_duration(found.seconds)}]" if found.seconds is not None else ""
    where = places_of(found)
    shown = [file_line(line.file, line.line) + (f": {line.text}" if line.text else "") for line in where[:places]]
    others = [file_line(line.file, line.line) for line in where[places:]]
    if others:
        more = f", {len(others) - _OTHERS} more" if len(others) > _OTHERS else ""
        shown[-1] += f"  ({', '.join(others[:_OTHERS])}{more})"
    head = f"{'' if found.severity == 'fault' else 'advice: '}{found.what}{cost}"
    return [head, *(f"   {line}" for line in [*shown, "; ".join(found.evidence)] if line)]


def places_of(found: Finding) -> list[Location]:
    """Return the lines of a finding, each once."""
    return list({(line.file, line.line): line for line in found.where}.values())


def finding_text(found: Finding) -> str:
    """Return one finding for 100 columns. The evidence of an exception is the rest of its message."""
    message = message_lines(found.evidence) if found.rule == "exception" else []
    lines = finding_lines(replace(found, evidence=()) if message else found, _PLACES)
    see = [f"   see {address(found.lesson)}"] if found.lesson else []
    head, *rest = (wrap(line, " " * 5) for line in lines)
    if found.severity == "fault":
        head = red(head) if found.rule == "exception" else yellow(head)
    return "\n".join([head, *rest, *message, *fix_lines(found), *see])


def fix_lines(found: Finding) -> list[str]:
    """Return the fix; nothing if a finding has none, as a known bug has its own list."""
    return [wrap(f"   Fix: {found.remedy}", " " * 8)] if found.remedy else []


def findings_text(findings: Sequence[Finding], most: int, more: str) -> str:
    """Return the text of the first findings; ``more`` names the option that shows the others.

    A fix that the next finding repeats is written once, after the last of them.
    """
    lines = []
    for found, following in zip_longest(findings[:most], findings[1:most]):
        repeated = following and (found.remedy, found.lesson) == (following.remedy, following.lesson)
        lines.append(finding_text(replace(found, remedy="", lesson="") if repeated else found))
    left = len(findings) - most
    return "\n".join([*lines, *([f"… {left} more {more}"] if left > 0 else [])])
