"""What two runs of a program print, one of them in eager mode."""

import pytest

from compile_lessons.facts.run import Process, Run
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules import findings_of


def compared(line: str, eager: str) -> list[Finding]:
    first = Process(pid=1, printed=("epoch 0", line, "done"))
    second = Process(pid=2, printed=("epoch 0", eager, "done"))
    found = findings_of(Run(processes=(first,), eager=Run(processes=(second,)), status=1))
    return [each for each in found if each.rule == "different-prints"]


@pytest.mark.parametrize(
    ("line", "eager"),
    [
        ("loss 2.3026", "loss 2.3031"),
        ("loss 0.01", "loss 0.02"),  # of which the last place is rounded
        ("step 3 took 12.4 ms, 80.1 it/s", "step 3 took 90 ms, 11.0 it/s"),
        ("[2026-01-02 03:04:05] loss 1.5", "[2026-01-03 13:14:15] loss 1.5"),
        ("<f at 0x7f00>", "<f at 0x7f88>"),
        ("loss nan", "loss NaN"),
        ("grad 1.00e-08", "grad 1.005e-08"),
        ("", ""),
    ],
)
def test_rounding_times_and_addresses_are_alike(line: str, eager: str) -> None:
    assert compared(line, eager) == []


@pytest.mark.parametrize(
    ("line", "eager"),
    [
        ("[0, 16, -36]", "[0, 0, 0]"),
        ("loss 65504.0", "loss inf"),
        ("loss inf", "loss -inf"),
        ("loss 2.30", "loss 2.60"),
        ("correct: True", "correct: False"),
        ("shape (1, 10)", "shape (4, 10)"),
        ("1e-8", "1e-7"),
    ],
)
def test_a_difference_is_advice_with_both_lines(line: str, eager: str) -> None:
    (found,) = compared(line, eager)
    assert found.severity == "advice" and "in 1 of 3 lines" in found.what
    assert found.evidence == (f"compiled: {line}", f"eager mode: {eager}")


def test_one_run_has_nothing_to_compare_with() -> None:
    alone = findings_of(Run(processes=(Process(pid=1, printed=("loss 1",)),), status=1))
    assert [each.rule for each in alone if each.rule == "different-prints"] == []
