"""Two reports of a program, before a change and after it: which findings are gone, which are new, what it saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: A finding of a report in JSON.
Data = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ReportDifference:
    """What a change did."""

    gone: tuple[Data, ...]
    new: tuple[Data, ...]
    #: Findings of both reports, as before and after.
    kept: tuple[tuple[Data, Data], ...]
    #: Name, before, after: the numbers that differ.
    numbers: tuple[tuple[str, float, float], ...]


def compare_reports(before: Data, after: Data) -> ReportDifference:
    """Compare two reports. A finding is the same if rule, file and function are: its line may have moved."""
    old, new = _by_place(before["findings"]), _by_place(after["findings"])
    return ReportDifference(
        gone=tuple(found for place, found in old.items() if place not in new),
        new=tuple(found for place, found in new.items() if place not in old),
        kept=tuple((found, new[place]) for place, found in old.items() if place in new),
        numbers=tuple(_numbers(before, after)),
    )


def _by_place(findings: Sequence[Data]) -> dict[Any, Data]:
    """Return findings by rule and place. Several of one rule in one function are told apart by their order."""
    places: dict[Any, Data] = {}
    for found in findings:
        line = found["where"][0] if found["where"] else {"file": "", "function": ""}
        place = (found["rule"], line["file"].replace("\\", "/").rpartition("/")[2], line["function"])
        number = sum(known[:3] == place for known in places)
        places[*place, number] = found
    return places


def _numbers(before: Data, after: Data) -> list[tuple[str, float, float]]:
    rows = [(name.replace("_", " "), value, after["counts"].get(name, 0)) for name, value in before["counts"].items()]
    rows += [(f"seconds {name}", value, after["seconds"].get(name, 0)) for name, value in before["seconds"].items()]
    return [row for row in rows if row[1] != row[2]]
