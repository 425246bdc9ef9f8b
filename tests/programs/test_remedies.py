"""Remedies of the catalogue, applied as printed: the finding is gone, the numbers are eager mode's, less is compiled.

The finding was the program's first: a comment names its rule in the line that it shows.

``remedies.toml`` has the programs. They run in one process, each in a fork of its own, as the import takes longer.
"""

import re
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import catalogue
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.late import late_calls
from compile_lessons.findings.rules import findings_of
from compile_lessons.trace.read import read_run
from compile_lessons.trace.run import run_program

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
_TABLES = tomllib.loads((HERE / "remedies.toml").read_text())
FIXED = tomllib.loads((HERE / "fixed.toml").read_text())
ELSEWHERE: dict[str, str] = _TABLES.pop("elsewhere")
PROGRAMS: dict[str, str] = {row: table["program"] for row, table in _TABLES.items()}
#: By row and form.
Runs = dict[tuple[str, str], tuple[Run, str]]
MARK = re.compile(r"# finding: (\S+)")
NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:e[+-]?\d+)?")


def remedies() -> dict[str, str]:
    """Return the remedy of each row of the catalogue that a finding of a program may have."""
    found = catalogue()
    return {
        **{f"{rule}.{cause}": fix.remedy for rule, causes in found.rules.items() for cause, fix in causes.items()},
        **{f"guards.{cause.name}": cause.remedy for cause in found.guards},
        **{f"uses.{use}": remedy for use, remedy in found.uses.items()},
        **{f"breaks.{gb_id}": row.words for gb_id, row in found.breaks.items() if row.remedy},
    }


def lines_of(text: str, sign: str) -> list[str]:
    """Return a program with its lines with ``-``, or with those with ``+`` instead."""
    other = "+" if sign == "-" else "-"
    return [line.removeprefix(sign) for line in text.splitlines() if not line.startswith(other)]


def write(text: str, sign: str, folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "program.py").write_text("\n".join([*lines_of(text, sign), ""]))
    return folder


@pytest.mark.parametrize("row", remedies())
def test_each_remedy_has_a_program_or_says_why_not(row: str) -> None:
    [reason] = [text for name, text in ELSEWHERE.items() if row == name or row.startswith(f"{name}.")] or [""]
    assert (row in PROGRAMS) != bool(reason)
    if reason.startswith("sick/"):
        assert reason[5:] in FIXED
    elif path := re.search(r"(?:tests|snippets)/[\w/]+\.py", reason):
        assert (ROOT / path[0]).is_file()


def test_each_program_is_of_a_remedy() -> None:
    assert PROGRAMS.keys() <= remedies().keys()
    assert all(any(f"{row}.".startswith(f"{name}.") for row in remedies()) for name in ELSEWHERE)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """What each program did, and printed: with its finding, with the remedy, and with its finding in eager mode."""
    folder = tmp_path_factory.mktemp("remedies")
    forms = {"sick": "-", "fixed": "+", "eager": "-"}
    folders = {
        (row, form): write(text, sign, folder / row / form)
        for row, text in PROGRAMS.items()
        for form, sign in forms.items()
    }
    trace = folder / "trace"
    trace.mkdir()
    run_program([sys.executable, str(HERE / "forks.py"), *map(str, folders.values())], trace)
    run = read_run(trace, collected=True, status=0)
    processes = {process.pid: process for process in run.processes}
    found = {}
    for name, own in folders.items():
        process = processes[int((own / "pid").read_text())]
        alone = replace(run, processes=(process,), seconds=process.end - process.start)
        found[name] = alone, (own / "output").read_text()
    return found


def told(run: Run, remedy: str) -> list[Finding]:
    """Return the findings with a remedy. Braces of it stand for names of the program."""
    pattern = re.compile(".+".join(map(re.escape, re.split(r"\{\w+\}", remedy))))
    return [found for found in findings_of(run) if pattern.search(found.remedy)]


def cost(run: Run) -> int:
    """Count compiles, and breaks, late calls and what stays in eager mode a second time."""
    [process] = run.processes
    compiles = sum(1 if item.outcome == "compiled" else 2 for item in process.compiles)
    return compiles + len(process.breaks) + len(late_calls(process))


@pytest.mark.parametrize("row", PROGRAMS)
def test_a_remedy_ends_the_finding_and_keeps_the_numbers(row: str, runs: Runs) -> None:
    remedy = remedies()[row]
    (sick, _), (fixed, printed), (_, wanted) = (runs[row, form] for form in ("sick", "fixed", "eager"))
    first = findings_of(sick)[0]
    marks = [(mark[1], n) for n, line in enumerate(lines_of(PROGRAMS[row], "-"), 1) if (mark := MARK.search(line))]
    assert [(first.rule, first.where[0].line)] == marks
    assert first in told(sick, remedy), first
    assert not [found for found in findings_of(fixed) if found.severity == "fault"] and not told(fixed, remedy)
    assert NUMBER.sub("", printed) == NUMBER.sub("", wanted)
    assert [*map(float, NUMBER.findall(printed))] == pytest.approx([*map(float, NUMBER.findall(wanted))], rel=1e-4)
    assert printed
    compiled = any(item.outcome == "compiled" and item.operations for item in sick.processes[0].compiles)
    assert cost(fixed) < cost(sick) if compiled else cost(fixed)
