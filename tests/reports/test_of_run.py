"""What a report has of two runs, and of a profile, in the steady state."""

from dataclasses import replace

import pytest

from compile_lessons.facts.run import Process, Profile, ProfiledWork, Region, Run
from compile_lessons.reports.of_run import report_of
from compile_lessons.reports.report import Report
from compile_lessons.reports.text import comparison_lines, profile_lines
from facts_of_runs import compiled, span


def process(a_call: float, calls: int = 20, compiles: bool = True) -> Process:
    """The first call ends at second 10, the others follow each other."""
    spans = [span(0.0, 10.0, seconds=10.0, compiling=10.0 if compiles else 0.0)]
    for begin in (10.0 + number * a_call for number in range(calls - 1)):
        spans.append(span(begin, begin + a_call, seconds=a_call / 2))
    return Process(
        pid=1,
        regions=(Region(id=1, function="forward", calls=calls),),
        compiles=(compiled(seconds=10.0),) if compiles else (),
        spans=tuple(spans),
    )


def run(a_call: float, in_eager: float, **more: int) -> Run:
    second = Run(processes=(process(in_eager, compiles=False, **more),), status=0)
    return Run(processes=(process(a_call, **more),), eager=second, status=0)


def report(a_call: float, in_eager: float) -> Report:
    return report_of(run(a_call, in_eager), [])


def test_calls_after_the_last_compile_are_compared() -> None:
    found = report(1.0, 1.5).comparison
    assert found
    assert (found.first, found.last, found.compiled, found.eager) == (2, 20, pytest.approx(1.0), pytest.approx(1.5))
    assert found.break_even == 21  # 10 s of compiles at half a second a call
    assert comparison_lines(report(1.0, 1.5)) == [
        "Compared with eager mode, calls 2 to 20 of forward: 1 s a call compiled, 1.5 s in eager mode: "
        "compiled code is 1.5 times as fast",
        "The 10.0 s of compiles pay after 21 calls; this run had 20",
    ]


@pytest.mark.parametrize(
    ("in_eager", "verdict"), [(0.5, "compiled code takes 2 times as long"), (1.02, "no difference that two runs")]
)
def test_what_saves_nothing_never_pays(in_eager: float, verdict: str) -> None:
    (line,) = comparison_lines(report(1.0, in_eager))
    assert verdict in line


def test_calls_around_a_profile_are_left_out() -> None:
    first = run(1.0, 1.5)
    profiled = replace(first.processes[0], profile=Profile(region=1, first=7, steps=3, seconds=1.0))
    found = report_of(replace(first, processes=(profiled,)), []).comparison
    assert found and found.first == 11


def test_it_says_why_nothing_is_compared() -> None:
    usual = run(1.0, 1.5)
    assert usual.eager is not None
    cases = {
        "forward was called less than 3 times after the last compile": run(1.0, 1.5, calls=3),
        "the second run, in eager mode, ended with status 1": replace(usual, eager=replace(usual.eager, status=1)),
        "no compiled function was called": replace(usual, processes=()),
        "the second run compiled too: the program sets its own stance": replace(
            usual, eager=replace(usual, eager=None)
        ),
    }
    assert [report_of(case, []).not_compared for case in cases.values()] == list(cases)
    assert comparison_lines(report_of(cases["no compiled function was called"], [])) == [
        "Not compared with eager mode: no compiled function was called"
    ]
    assert comparison_lines(report_of(replace(usual, eager=None), [])) == []


def test_a_profile_on_a_gpu_says_how_long_it_was_idle() -> None:
    work = (ProfiledWork("triton_poi_fused_gelu_0", 3, 0.3, True), ProfiledWork("sgemm", 6, 0.1, False))
    profile = Profile(region=1, first=6, steps=3, seconds=1.0, device="NVIDIA H100", busy=0.4, work=work)
    head, first, second = profile_lines(report_of(Run(processes=(replace(process(1.0), profile=profile),)), []))
    assert head == (
        "Profile of calls 6 to 8 of forward: 1.0 s; NVIDIA H100 was idle for 60% of it; "
        "75% of the time of kernels in compiled code"
    )
    assert first.split()[:4] == ["300", "ms", "75%", "compiled"] and "triton_poi_fused_gelu_0, 3 calls" in first
    assert "not compiled" in second
    refused = replace(process(1.0), profile=Profile(why="the program uses torch's profiler itself"))
    assert profile_lines(report_of(Run(processes=(refused,)), [])) == [
        "No profile: the program uses torch's profiler itself"
    ]
