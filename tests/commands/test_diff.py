"""Reports before and after a change."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from compile_lessons.commands.cli import app
from compile_lessons.facts.run import KernelSearch, Process, Region, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.reports.json import report_to_json
from compile_lessons.reports.of_run import report_of

#: What the first version of the package wrote, of the fields that it had.
FIRST_VERSION = """{"schema": 1, "command": [], "status": 0, "stopped": "", "torch": "2.13.0", "missing": [],
"findings": [{"rule": "skipped", "severity": "fault", "what": "skipped happened", "seconds": null, "evidence": [],
  "where": [{"file": "train.py", "line": 3, "function": "step", "text": "step()"}], "remedy": "", "lesson": ""}],
"seconds": {"total": 1.5}, "counts": {"findings": 1}, "processes": [{"pid": 1, "rank": null}]}"""


def finding(rule: str, line: int, seconds: float | None = None) -> Finding:
    where = (Location(file="/work/train.py", line=line, function="step"),)
    return Finding(rule=rule, severity="fault", what=f"{rule} happened", seconds=seconds, where=where, lesson="a/b")


def diff(folder: Path, before: list[Finding], after: list[Finding], run: Run | None = None) -> Result:
    for name, found in (("before", before), ("after", after)):
        (folder / f"{name}.json").write_text(report_to_json(report_of(run or Run(), found)))
    return CliRunner().invoke(app, ["diff", str(folder / "before.json"), str(folder / "after.json")])


def test_a_finding_that_is_gone(tmp_path: Path) -> None:
    result = diff(tmp_path, [finding("recompiles", 3, 2.5), finding("graph-break", 4)], [finding("graph-break", 9)])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "gone   recompiles  train.py:3: recompiles happened [2.5 s]"
    assert lines[1] == "still  graph-break  train.py:9: graph-break happened"  # its line has moved
    assert lines[5].split() == ["findings", "2", "1", "-1"]


def test_a_finding_of_a_comparison_is_gone_where_there_is_one(tmp_path: Path) -> None:
    different = [finding("different-result", 3)]
    assert diff(tmp_path, different, []).stdout.startswith("unseen different-result")
    assert diff(tmp_path, different, [], Run(eager=Run())).stdout.startswith("gone   different-result")


def test_a_new_fault_is_a_failure(tmp_path: Path) -> None:
    result = diff(tmp_path, [], [finding("skipped", 3)])
    assert result.exit_code == 1
    assert result.stdout.startswith("new    skipped  train.py:3")


def test_seconds_of_a_finding_in_both(tmp_path: Path) -> None:
    result = diff(tmp_path, [finding("skipped", 3, 4.0)], [finding("skipped", 3, 1.0)])
    assert result.stdout.splitlines()[0].endswith("[4.0 s → 1.0 s]")


def test_what_the_autotuner_chose_otherwise(tmp_path: Path) -> None:
    code = Location(file="/work/kernels.py", line=3, function="add")
    for name, chosen in (
        ("before", {"64": "BLOCK: 32", "128": "BLOCK: 64"}),
        ("after", {"64": "BLOCK: 16", "256": "B"}),
    ):
        searches = [
            KernelSearch(kernel="add", code=code, start=0.0, seconds=1.0, configurations=2, keys=(("n", n),), best=best)
            for n, best in chosen.items()
        ]
        report = report_of(Run(processes=(Process(pid=1, searches=tuple(searches)),)), [])
        (tmp_path / f"{name}.json").write_text(report_to_json(report))
    result = CliRunner().invoke(app, ["diff", str(tmp_path / "before.json"), str(tmp_path / "after.json")])
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if line.startswith("tuned")] == [
        "tuned  add(n=64): BLOCK: 32 → BLOCK: 16"
    ]


def test_a_number_that_one_report_has_not_seen(tmp_path: Path) -> None:
    seen = Run(processes=(Process(pid=1, regions=(Region(id=1, function="step", calls=3),)),))
    hidden = Run(processes=(Process(pid=1, collected=False, calls_seen=False),))
    for name, run in (("before", seen), ("after", hidden)):
        (tmp_path / f"{name}.json").write_text(report_to_json(report_of(run, [])))
    result = CliRunner().invoke(app, ["diff", str(tmp_path / "before.json"), str(tmp_path / "after.json")])
    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "calls 3 not seen" in rows


def test_an_upgrade_of_torch_is_named(tmp_path: Path) -> None:
    for name, torch in (("before", "2.13.0"), ("after", "2.15.0")):
        run = Run(processes=(Process(pid=1, torch=torch),))
        (tmp_path / f"{name}.json").write_text(report_to_json(report_of(run, [finding("skipped", 3)])))
    result = CliRunner().invoke(app, ["diff", str(tmp_path / "before.json"), str(tmp_path / "after.json")])
    assert result.stdout.splitlines()[0] == "torch 2.13.0 → 2.15.0"
    same = CliRunner().invoke(app, ["diff", str(tmp_path / "before.json"), str(tmp_path / "before.json")])
    assert same.stdout.startswith("still  skipped")


def test_a_report_of_the_first_version_is_read(tmp_path: Path) -> None:
    """RELEASING.md: within one schema, each version reads the reports of those before, so a new field has a default."""
    (tmp_path / "first.json").write_text(FIRST_VERSION)
    (tmp_path / "after.json").write_text(report_to_json(report_of(Run(), [])))
    result = CliRunner().invoke(app, ["diff", str(tmp_path / "first.json"), str(tmp_path / "after.json")])
    assert result.exit_code == 0, result.stderr
    assert "gone   skipped  train.py:3: skipped happened" in result.stdout


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "[]", "\0", "[" * 100_000, '{"schema": 0, "findings": []}'),
        '{"schema": 1, "findings": 3, "counts": {}, "seconds": {}}',
        '{"schema": 1, "findings": [{"rule": "skipped"}], "counts": {}, "seconds": {}}',
    ],
)
def test_what_is_no_report(tmp_path: Path, text: str) -> None:
    (tmp_path / "before.json").write_text(text)
    result: Any = CliRunner().invoke(app, ["diff", str(tmp_path / "before.json"), str(tmp_path / "before.json")])
    assert result.exit_code == 2
    assert "before.json" in result.stderr


def test_numbers_are_shown_once_and_with_three_digits(tmp_path: Path) -> None:
    def report(compiling: float, tracing: float) -> str:
        empty = report_of(Run(), [])
        seconds = replace(empty.seconds, total=37.32271, compiling=compiling, tracing=tracing)
        return report_to_json(replace(empty, seconds=seconds, counts=replace(empty.counts, compile_seconds=compiling)))

    (tmp_path / "before.json").write_text(report(2.832312, 0.0010001))
    (tmp_path / "after.json").write_text(report(3.550211, 0.0010002))
    result = CliRunner().invoke(app, ["diff", str(tmp_path / "before.json"), str(tmp_path / "after.json")])
    rows = [line.split("  ") for line in result.stdout.splitlines()[2:] if line]
    assert [[cell.strip() for cell in row if cell] for row in rows[2:]] == [
        ["seconds compiling", "2.83 s", "3.55 s", "+718 ms"]
    ]
