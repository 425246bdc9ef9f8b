"""``compile-lessons diff``: what changed between two reports of ``diagnose``."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from compile_lessons.commands.terminal import stop
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.printing import say
from compile_lessons.ground.words import file_line, join, rough_duration
from compile_lessons.reports.json import report_from_json
from compile_lessons.reports.report import Report
from compile_lessons.reports.text import if_seen
from compile_lessons.show.table import Table, duration

#: Rule, file and function of a finding, and its number among those that have the same.
Place = tuple[str, str, str, int]
#: Rules that see nothing without ``--compare eager``.
_COMPARED = ("different-result", "different-prints", "slower-than-eager")


def diff(
    before: Annotated[Path, typer.Argument(help="A report that diagnose --json wrote.")],
    after: Annotated[Path, typer.Argument(help="A later report of the same program.")],
) -> None:
    """Compare two reports of diagnose: findings that are gone, new or still there, what triton.autotune
    chose otherwise, and the numbers that differ.

    Reports of one program under two versions of torch say what an upgrade changes. A finding of --compare eager is
    unseen, and not gone, in a report without it.

    The exit status is 1 if there is a new fault, and 0 otherwise.
    """
    first, second = _read(before), _read(after)
    old, new = _by_place(first), _by_place(second)
    unseen = () if any(each.what == "compared value" for each in second.looked_at) else _COMPARED
    gone = [found for place, found in old.items() if place not in new]
    lines = [f"{'unseen' if found.rule in unseen else 'gone  '} {_line(found)}" for found in gone]
    lines += [f"new    {_line(found)}" for place, found in new.items() if place not in old]
    lines += [f"still  {_line(new[place], found)}" for place, found in old.items() if place in new]
    was, now = dict(first.tuned), dict(second.tuned)
    changed = [name for name in sorted(was.keys() & now.keys()) if was[name] != now[name]]
    lines += [f"tuned  {name}: {was[name]} → {now[name]}" for name in changed]
    versions = f"torch {first.torch or 'not seen'} → {second.torch or 'not seen'}"
    head = versions if first.torch != second.torch else ""
    say(join([head, "\n".join(lines) or "no findings in either report", _numbers(first, second)]))
    if any(found.severity == "fault" for place, found in new.items() if place not in old):
        raise typer.Exit(1)


def _read(path: Path) -> Report:
    try:
        return report_from_json(path.read_bytes())
    except OSError as error:
        stop(f"{path} can't be read: {error.strerror}")
    except ValueError as error:
        stop(f"{path} is no report of diagnose: {error}\n  Fix: diagnose --json {path} …")


def _by_place(report: Report) -> dict[Place, Finding]:
    """Return findings by what stays when the line of a finding moves."""
    seen: Counter[tuple[str, str, str]] = Counter()
    places = {}
    for found in report.findings:
        file, function = (found.where[0].file, found.where[0].function) if found.where else ("", "")
        place = found.rule, os.path.basename(file.replace("\\", "/")), function
        places[*place, seen[place]] = found
        seen[place] += 1
    return places


def _line(found: Finding, old: Finding | None = None) -> str:
    place = f"{file_line(found.where[0].file, found.where[0].line)}: " if found.where else ""
    cost = "" if found.seconds is None else f" [{rough_duration(found.seconds)}]"
    if old and old.seconds is not None and found.seconds is not None:
        cost = f" [{rough_duration(old.seconds)} → {rough_duration(found.seconds)}]"
    return f"{found.rule}  {place}{found.what}{cost}"


def _numbers(before: Report, after: Report) -> str:
    """Return the numbers that differ, as far as they are shown, as a table."""
    rows = []
    for (name, shown, old), (_, _, new) in zip(_named(before), _named(after), strict=True):
        if shown(old) != shown(new):
            change = "" if None in (old, new) else f"{'+' if new > old else '-'}{shown(abs(new - old))}"
            rows.append((name, shown(old), shown(new), change))
    columns = ("before", "after", "change")
    return str(Table(("", *columns), rows, kinds=dict.fromkeys(columns, "number"))) if rows else ""


def _named(report: Report) -> Iterator[tuple[str, Callable[[Any], str], Any]]:
    """Yield the name of each number, what shows it, and the number."""
    for name, number in asdict(report.counts).items():
        if name != "compile_seconds":  # which --fail-if needs: they are the seconds of compiling
            yield name.replace("_", " "), if_seen, number
    for name, number in asdict(report.seconds).items():
        yield f"seconds {name}", lambda seconds: duration(seconds) if seconds else if_seen(seconds), number
