"""Compiled code that takes longer than eager mode is a finding, with its cause."""

from dataclasses import replace

import pytest

from compile_lessons.facts.run import Process, Region, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules.slower import with_slowdown
from facts_of_runs import compiled, span

CODE = Location(file="/work/train.py", line=5)
BREAK = Finding(rule="graph-break", severity="fault", what="break: item")
SHORT = Finding(rule="short-calls", severity="advice", what="short")


def run_of(a_call: float, in_eager: float, calls: int = 40, graphs: int = 1) -> Run:
    compiles = tuple(compiled(frame=n, code=CODE, seconds=0.0, operations=2) for n in range(graphs))
    first, second = (
        Process(
            pid=1,
            regions=(Region(id=1, function="forward", code=CODE, calls=calls),),
            spans=tuple(span(n * s, (n + 1) * s, seconds=s / 2) for n in range(calls)),
        )
        for s in (a_call, in_eager)
    )
    return Run(processes=(replace(first, compiles=compiles),), eager=Run(processes=(second,), status=0), status=0)


@pytest.mark.parametrize(("a_call", "remedy"), [(0.02, "--profile-steps"), (0.0015, "so little work")])
def test_seconds_lost_and_remedies_by_the_length_of_a_call(a_call: float, remedy: str) -> None:
    calls = round(10 / a_call)
    (found,) = with_slowdown(run_of(a_call, a_call / 4, calls), [])
    assert (found.rule, found.severity, found.where) == ("slower-than-eager", "fault", (CODE,))
    assert found.what == "compiled code takes 4 times as long as eager mode"
    assert found.seconds == pytest.approx(7.5, rel=1e-3) and remedy in found.remedy


def test_another_finding_is_the_cause() -> None:
    kept, slow = with_slowdown(run_of(0.02, 0.005, graphs=5), [BREAK])
    assert (kept, slow.seconds) == (BREAK, None)
    assert "the cause is what another finding says: break: item" in slow.evidence
    assert "a call runs at least 5 graphs, each with a cost of its own" in slow.evidence


def test_the_advice_on_short_calls_is_part_of_it() -> None:
    assert [found.rule for found in with_slowdown(run_of(0.0015, 0.0004, 400), [SHORT])] == ["slower-than-eager"]


@pytest.mark.parametrize(("a_call", "in_eager", "calls"), [(0.01, 0.009, 100), (0.01, 0.02, 100), (0.5, 0.1, 10)])
def test_chance_and_a_few_calls_are_no_finding(a_call: float, in_eager: float, calls: int) -> None:
    assert with_slowdown(run_of(a_call, in_eager, calls), [SHORT]) == [SHORT]
