"""What a program prints, compared with what its second run prints, in eager mode."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from compile_lessons.facts.run import Process, Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import counted, shorten

#: What differs between two runs of any program: times with a unit, rates, dates, and addresses.
_OTHER = re.compile(
    r"[\d.,]+(?:e[+-]?\d+)?\s*(?:[numµ]?s|secs?|seconds?|minutes?|h|it/s|\w*/s|s/it|[kMG]i?B)\b"
    r"|\d{4}-\d\d-\d\d|\d\d?:\d\d(?::\d\d)?(?:\.\d+)?|0x[0-9a-f]+"
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|\b(?:nan|inf)\b", re.IGNORECASE)
#: Numbers that differ by less, as a share of the larger one or in the last place of what is printed, are rounding.
_ROUNDING = 0.01


def different_prints(run: Run) -> Iterator[Finding]:
    """Yield advice for the first line that differs: random numbers of compiled code are others than eager mode's."""
    if run.eager is None:
        return
    for process, other in zip(_that_print(run), _that_print(run.eager), strict=False):
        pairs = list(zip(process.printed, other.printed, strict=False))
        different = [number for number, (line, eager) in enumerate(pairs) if not _alike(line, eager)]
        if different:
            line, eager = pairs[different[0]]
            share = f"{len(different)} of {counted(len(pairs), 'line')}"
            yield finding(
                fix("different-prints"),
                f"the program prints other results than in eager mode, in {share}",
                advice=True,
                evidence=(f"compiled: {shorten(line.strip(), 100)}", f"eager mode: {shorten(eager.strip(), 100)}"),
            )


def _that_print(run: Run) -> list[Process]:
    """Return the processes that print, each rank in its place."""
    return sorted((each for each in run.processes if each.printed), key=lambda each: (each.rank or 0, each.start))


def _alike(line: str, eager: str) -> bool:
    texts = [_OTHER.sub("…", each) for each in (line, eager)]
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
