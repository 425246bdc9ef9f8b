"""What is printed of a run, on facts that are written down here."""

import pytest

from compile_lessons.facts.run import Compile, FailedCheck, Process, Region, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.reports.of_run import report_of
from compile_lessons.reports.text import recompile_lines, report_text
from facts_of_runs import compiled, span

LINE = Location(file="/work/train.py", line=4, function="step", text="y = step(x)")


def version(number: int, size: int) -> Compile:
    guard = f"0/{number - 1}: tensor 'x' size mismatch at index 0. expected {size - 1}, actual {size}"
    return compiled(number, name="step", code=LINE, stack=(), guards=(FailedCheck(guard),) if number else ())


def lines(compiles: int) -> list[str]:
    versions = tuple(version(number, size=8 + number) for number in range(compiles))
    return recompile_lines(report_of(Run(processes=(Process(pid=1, compiles=versions),)), []))


def test_each_recompile_is_named_with_its_line_and_what_changed() -> None:
    assert lines(2) == ["  train.py:4 step: the size of x in dimension 0: 8 → 9"]


def test_the_first_five_recompiles_are_named() -> None:
    assert [line.partition(" step")[0] for line in lines(6)] == 5 * ["  train.py:4"]
    assert lines(8)[5:] == ["  and 2 more"]


@pytest.mark.parametrize("source", [True, False])
def test_a_report_has_a_line_for_the_time_four_for_a_finding_and_a_row_for_each_phase(source: bool) -> None:
    process = Process(
        pid=1,
        end=10.0,
        regions=(Region(id=1, function="step", calls=2, seconds=5.0, compile_seconds=1.0),),
        compiles=(version(0, 8),),
        spans=(span(0.0, 2.0, seconds=2.0, compiling=1.0), span(2.0, 4.0, seconds=2.0)),
    )
    found = Finding(
        rule="recompiles", severity="advice", what="It compiles again", seconds=1.0, where=(LINE, LINE),
        evidence=("n: 1 → 2", "n: 2 → 3"), remedy="count outside", lesson="dynamo/recompiles",
    )  # fmt: skip
    run = Run(processes=(process,), seconds=10.0)
    head, finding, timeline, _ = report_text(report_of(run, [found], source)).split("\n\n")
    assert head == "10.0 s: 1.0 s compiling (10%); 4.0 s in compiled code; tracing cost under 1 ms"
    assert finding.splitlines() == [
        "1. advice: It compiles again [1.0 s]",
        f"   train.py:4{': y = step(x)' if source else ''}",
        "   n: 1 → 2; n: 2 → 3",
        "   Fix: count outside  https://compile-lessons.github.io/compile-lessons/dynamo/recompiles/",
    ]
    title, _, _, first, *_, last = timeline.splitlines()
    assert title == "Timeline from the import of torch, by calls of step"
    assert first.split() == ["call", "1", "2", "s", "2", "s", "50%", "50%", "-", "-"]
    assert last.split()[:6] == ["after", "the", "last", "call", "6", "s"]


def test_what_a_trace_has_that_is_not_known_is_said_in_one_line() -> None:
    processes = (Process(pid=1, unknown=(("graph_move", 2),)), Process(pid=2, unknown=(("graph_move", 1),)))
    text = report_text(report_of(Run(processes=processes), []))
    assert "3 records of kinds, or with fields, that this version doesn't know: graph_move (3)" in text.splitlines()


def test_a_finding_without_a_remedy_has_no_line_for_it() -> None:
    found = Finding(rule="exception", severity="fault", what="the program ended with KeyError", where=(LINE,))
    text = report_text(report_of(Run(status=1), [found]))
    assert "the program ended with KeyError" in text and "Fix:" not in text
