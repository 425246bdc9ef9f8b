"""Lines that two runs of a program print, and which of them differ."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from compile_lessons.facts.run import Run
from compile_lessons.ground.words import shorten

#: What differs between two runs of any program: times with a unit, rates, dates, and addresses.
_OTHER = re.compile(
    r"[\d.,]+(?:e[+-]?\d+)?\s*(?:[numµ]?s|secs?|seconds?|minutes?|h|it/s|\w*/s|s/it|[kMG]i?B)\b"
    r"|\d{4}-\d\d-\d\d|\d\d?:\d\d(?::\d\d)?(?:\.\d+)?|0x[0-9a-f]+"
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|\b(?:nan|inf)\b", re.IGNORECASE)
#: Numbers that differ by less, as a share of the larger one or in the last place of what is printed, are rounding.
_ROUNDING = 0.01


@dataclass(frozen=True)
class DifferentLines:
    """The first line of a process that differs, shortened, and how many of how many do."""

    line: str
    eager: str
    number: int
    lines: int


def different_lines(run: Run, other: Run) -> Iterator[DifferentLines]:
    """Yield the lines of each process that prints something else than in the other run."""
    for process, same in zip(
        *([each for each in one.in_ranks() if each.printed] for one in (run, other)), strict=False
    ):
        pairs = list(zip(process.printed, same.printed, strict=False))
        different = [pair for pair in pairs if not _alike(*pair)]
        if different:
            line, eager = (shorten(each.strip(), 80) for each in different[0])
            yield DifferentLines(line, eager, len(different), len(pairs))


def _alike(line: str, eager: str) -> bool:
    texts = [_OTHER.sub("…", each.replace("_orig_mod.", "")) for each in (line, eager)]
    if _NUMBER.sub("#", texts[0]) != _NUMBER.sub("#", texts[1]):
        return False
    return all(map(_equal, *(map(str.lower, _NUMBER.findall(text)) for text in texts)))


def _equal(number: str, other: str) -> bool:
    one, two = float(number), float(other)
    if not (math.isfinite(one) and math.isfinite(two)):
        return str(one) == str(two)
    places = min(len(each.partition("e")[0].partition(".")[2]) for each in (number, other))
    last_place = 0.0 if "e" in number + other else (1.5 * 10.0**-places if places else 0.0)
    return abs(one - two) <= max(last_place, _ROUNDING * max(abs(one), abs(two)))
