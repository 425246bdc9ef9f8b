"""What is printed of a run, on facts that are written down here."""

from __future__ import annotations

from compile_lessons.facts.run import Compile, FailedCheck, Process, Run
from compile_lessons.facts.source import Location
from compile_lessons.forms.run import recompile_lines

LINE = Location(file="/work/train.py", line=4, function="step")


def compiled(number: int, size: int) -> Compile:
    guard = f"0/{number - 1}: tensor 'x' size mismatch at index 0. expected {size - 1}, actual {size}"
    return Compile(
        id=f"0/{number}",
        frame=0,
        number=number,
        outcome="compiled",
        name="step",
        code=LINE,
        start=float(number),
        seconds=1.0,
        guards=(FailedCheck(guard),) if number else (),
    )


def lines(compiles: int) -> list[str]:
    versions = tuple(compiled(number, size=8 + number) for number in range(compiles))
    return recompile_lines(Run(processes=(Process(pid=1, compiles=versions),)))


def test_each_recompile_is_named_with_its_line_and_what_changed() -> None:
    assert lines(2) == ["  train.py:4 step: the size of x in dimension 0: 8 → 9"]


def test_the_first_five_recompiles_are_named() -> None:
    assert [line.partition(" step")[0] for line in lines(6)] == 5 * ["  train.py:4"]
    assert lines(8)[5:] == ["  and 2 more"]
