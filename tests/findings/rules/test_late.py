"""Calls that compile after a program has begun its steady work."""

from typing import Any

import pytest

import facts_of_runs
from compile_lessons.facts.run import Compile, FailedCheck, Process, Region, Run, Span
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.late import late_calls
from compile_lessons.findings.rules import findings_of
from compile_lessons.reports.html import report_html
from compile_lessons.reports.of_run import report_of
from compile_lessons.reports.text import report_text
from compile_lessons.reports.timeline import phases
from facts_of_runs import span

ENCODE = Location(file="/work/serve.py", line=4, function="encode")
WARM_UP = Location(file="/work/serve.py", line=9, function="warm_up")
PREPARE = Location(file="/work/serve.py", line=9, function="prepare")
ANSWER = Location(file="/work/serve.py", line=20, function="answer")
SIZE = FailedCheck("0/0: tensor 'tokens' size mismatch at index 1. expected 8, actual 16")
MODE = FailedCheck("0/0: GLOBAL_STATE changed: grad_mode")


def compiled(number: int, start: float, call: int, *guards: FailedCheck, **about: Any) -> Compile:
    usual: dict[str, Any] = {"code": ENCODE, "name": "encode", "mode": "no_grad", "stack": (ANSWER,), "seconds": 2.0}
    thread = {"thread": "MainThread"}
    return facts_of_runs.compiled(number, **usual | thread | {"start": start, "call": call, "guards": guards} | about)


def calls(start: float, count: int = 1, seconds: float = 0.01, compiling: float = 0.0) -> Span:
    return span(start, start + count * seconds, count, count * seconds, compiling)


def process(late: Compile, quiet: int = 1, warm: dict[str, Any] | None = None, **about: Any) -> Process:
    first = compiled(0, 10.0, 1, **{"stack": (PREPARE,)} | (warm or {}))
    region = Region(id=1, function="encode", code=ENCODE, stack=(ENCODE,), calls=30, seconds=5.0, compile_seconds=4.0)
    spans = (calls(10.0, 1, 2.1, 2.0), calls(12.2, quiet), calls(late.start, 1, 2.1, 2.0), calls(23.0, 20))
    return Process(pid=1, start=5.0, end=30.0, regions=(region,), compiles=(first, late), spans=spans, **about)


def told(*processes: Process) -> list[Finding]:
    found = findings_of(Run(processes=processes, seconds=20.0))
    return [each for each in found if each.rule == "late-compile"]


def test_a_request_in_a_mode_that_the_warm_up_did_not_have() -> None:
    late = compiled(1, 20.0, 3, MODE, mode="inference_mode")
    [found] = told(process(late))
    assert found.severity == "fault" and found.seconds == pytest.approx(2.1)
    assert found.what == "1 call of encode waited for a compile after the warm-up"
    assert found.evidence == ("call 3 took 2.1 s: inference_mode was off in the warm-up",)
    assert found.where == (ANSWER, PREPARE, ENCODE) and "torch.inference_mode()" in found.remedy


def test_one_call_in_another_mode_after_many_is_no_request() -> None:
    """A look at the results, and twenty requests."""
    late = compiled(1, 20.0, 40, MODE, mode="inference_mode")
    service = process(late, quiet=40)
    alone = Process(**{**vars(service), "spans": service.spans[:-1]})
    assert [found.severity for each in (alone, service) for found in told(each)] == ["advice", "fault"]


def test_a_mode_and_a_length_that_are_new() -> None:
    first = compiled(1, 20.0, 3, MODE, mode="inference_mode")
    second = compiled(2, 24.0, 4, SIZE, MODE, mode="inference_mode")
    both = process(first)
    spans = (*both.spans[:3], calls(24.0, 1, 2.1, 2.0))
    [found] = told(Process(**{**vars(both), "compiles": (*both.compiles, second), "spans": spans}))
    assert found.what == "2 calls of encode waited for a compile after the warm-up"
    mode = "inference_mode was off in the warm-up"
    assert found.evidence == (
        f"call 3 took 2.1 s: {mode}",
        f"call 4 took 2.1 s: {mode} and the size of tokens in dimension 1 was new: 8 → 16",
    )
    assert "torch.inference_mode()" in found.remedy and "two different sizes" in found.remedy


def test_a_setting_that_changed_explains_each_version_of_the_warm_up() -> None:
    """The newest version fails for its size, which the warm-up had."""
    autocast = FailedCheck("0/0: GLOBAL_STATE changed: autocast(cpu)_enabled")
    warm = {"stack": (WARM_UP,)}
    first = compiled(2, 20.0, 3, autocast, autocast)
    second = compiled(3, 24.0, 4, SIZE, autocast, autocast)
    both = process(first, warm=warm)
    compiles = (both.compiles[0], compiled(1, 12.5, 2, SIZE, **warm), first, second)
    spans = (both.spans[0], calls(12.5, 1, 2.1, 2.0), both.spans[2], calls(24.0, 1, 2.1, 2.0))
    [found] = told(Process(**{**vars(both), "compiles": compiles, "spans": spans}))
    assert [line.partition(": ")[2] for line in found.evidence] == 2 * ["autocast(cpu)_enabled had changed"]


def test_a_request_that_forgets_the_mode() -> None:
    [found] = told(process(compiled(1, 20.0, 3, MODE, mode="grad")))
    assert "no_grad was on in the warm-up" in found.evidence[0] and "torch.no_grad()" in found.remedy


def test_a_length_that_is_new_in_another_thread() -> None:
    late = compiled(1, 20.0, 1, SIZE, thread="worker", main_thread=False)
    [found] = told(process(late))
    assert found.evidence == ("call 3 in thread worker took 2.1 s: the size of tokens in dimension 1 was new: 8 → 16",)
    assert "two different sizes" in found.remedy and "mark_dynamic(tokens, 1)" in found.remedy


def test_a_function_that_warms_up_is_known_by_its_name() -> None:
    late = compiled(1, 20.0, 3, SIZE)
    assert told(process(late)) == []  # a prompt, and then a token
    [found] = told(process(late, warm={"stack": (WARM_UP,)}))
    assert found.severity == "fault" and found.where[:2] == (ANSWER, WARM_UP)
    autocast = compiled(1, 20.0, 3, FailedCheck("0/0: GLOBAL_STATE changed: autocast(cpu)_enabled"))
    [found] = told(process(autocast, warm={"stack": (WARM_UP,)}))
    assert "autocast(cpu)_enabled had changed" in found.evidence[0] and "before the warm-up" in found.remedy
    threads = compiled(1, 20.0, 3, FailedCheck("0/0: GLOBAL_STATE changed: num_threads"))
    assert told(process(threads, warm={"stack": (WARM_UP,)})) == [], "the setting has a finding"


def test_without_a_warm_up_it_is_advice_after_calls_without_a_compile() -> None:
    [found] = told(process(compiled(1, 20.0, 9, SIZE), quiet=7))
    assert found.severity == "advice" and "after 5 calls or more without a compile" in found.what
    [found] = told(process(compiled(1, 20.0, 9, SIZE), quiet=7, trains=True))  # a last batch that is smaller
    assert found.severity == "advice"


def test_the_first_validation_of_a_training_is_not_late() -> None:
    late = compiled(1, 20.0, 9, MODE, mode="no_grad")
    assert told(process(late, quiet=7, warm={"mode": "grad"}, trains=True)) == []


def test_it_comes_before_advice_on_the_time_of_first_compiles() -> None:
    late = compiled(1, 20.0, 9, SIZE)
    run = process(late, quiet=7)
    slow = Compile(
        id="1/0", frame=1, code=PREPARE, name="prepare", outcome="compiled", seconds=9.0, start=5.0,
        stages={"AOTAutograd": 8.0, "Inductor": 7.0}, caches=("miss",),
    )  # fmt: skip
    both = Process(**{**vars(run), "compiles": (*run.compiles, slow)})
    assert [found.rule for found in findings_of(Run(processes=(both,), seconds=20.0))] == [
        "late-compile",
        "compile-time",
    ]


def test_the_timeline_and_the_counts_have_it() -> None:
    run = process(compiled(1, 20.0, 3, MODE, mode="inference_mode"))
    assert [phase.title for phase in phases(run, late_calls(run)) if phase.late] == ["call 3 (late)"]
    report = report_of(Run(processes=(run,), seconds=20.0), told(run))
    assert report.counts.late_compiles == 1 and report.processes[0].late_starts == (20.0,)
    assert "call 3 (late)" in report_text(report)
    page = report_html(report)
    assert "call 3 (late)" in page and '<path class="late" d="M600 44v-44"/>' in page
