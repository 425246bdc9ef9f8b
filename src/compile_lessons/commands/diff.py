"""``compile-lessons diff``: what changed between two reports of ``diagnose``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from compile_lessons.commands.terminal import stop
from compile_lessons.findings.difference import Data, ReportDifference, compare_reports
from compile_lessons.forms.run_json import SCHEMA
from compile_lessons.ground.reading import read_json
from compile_lessons.ground.words import file_line, rough_duration
from compile_lessons.show.table import Table


class _Place(msgspec.Struct):
    file: str
    line: int
    function: str


class _Found(msgspec.Struct):
    rule: str
    severity: str
    what: str
    seconds: float | None
    where: list[_Place]


class _Report(msgspec.Struct):
    """What of a report is compared."""

    findings: list[_Found]
    counts: dict[str, float]
    seconds: dict[str, float]


def diff(
    before: Annotated[Path, typer.Argument(help="A report that diagnose --json wrote.")],
    after: Annotated[Path, typer.Argument(help="A later report of the same program.")],
) -> None:
    """Compare two reports of diagnose: findings that are gone, new or still there, and the numbers that differ.

    The exit status is 1 if there is a new fault, and 0 otherwise.
    """
    result = compare_reports(_read(before), _read(after))
    print(_text(result))
    if any(found["severity"] == "fault" for found in result.new):
        raise typer.Exit(1)


def _read(path: Path) -> dict[str, Any]:
    try:
        data: dict[str, Any] = read_json(path.read_bytes())
        if isinstance(data, dict) and data.get("schema") != SCHEMA:
            raise ValueError(f"its schema is {data.get('schema')!r}")
        msgspec.convert(data, _Report)
    except OSError as error:
        stop(f"{path} can't be read: {error.strerror}")
    except ValueError as error:
        stop(f"{path} is no report of diagnose with schema {SCHEMA}: {error}\n  Fix: diagnose --json {path} …")
    return data


def _text(result: ReportDifference) -> str:
    lines = [f"gone   {_line(found)}" for found in result.gone]
    lines += [f"new    {_line(found)}" for found in result.new]
    lines += [f"still  {_line(new, old)}" for old, new in result.kept]
    rows = [(name, f"{old:g}", f"{new:g}", f"{new - old:+g}") for name, old, new in result.numbers]
    table = str(Table(("", "before", "after", "change"), rows)) if rows else ""
    return "\n\n".join(filter(None, ("\n".join(lines) or "no findings in either report", table)))


def _line(found: Data, old: Data | None = None) -> str:
    place = f"{file_line(found['where'][0]['file'], found['where'][0]['line'])}: " if found["where"] else ""
    cost = "" if found["seconds"] is None else f" [{rough_duration(found['seconds'])}]"
    if old is not None and old["seconds"] is not None and found["seconds"] is not None:
        cost = f" [{rough_duration(old['seconds'])} → {rough_duration(found['seconds'])}]"
    return f"{found['rule']}  {place}{found['what']}{cost}"
