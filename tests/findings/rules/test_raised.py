"""Exceptions of a program, as the collector writes them down."""

from dataclasses import replace
from typing import Any

import pytest

from compile_lessons.facts.run import Process, Raised, Region, Run, Span
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules import findings_of
from facts_of_runs import compiled, span

TORCH = "/venv/lib/python3.12/site-packages/torch/"
STEP = Location(file="/work/serve.py", line=4, function="step")
CALL = Location(file="/work/serve.py", line=20, function="answer")
RAISE = Location(file="/work/serve.py", line=7, function="check")
RUNTIME = Location(file=f"{TORCH}_functorch/_aot_autograd/runtime_wrappers.py", line=9, function="runtime_wrapper")
TREES = Location(file=f"{TORCH}_inductor/cudagraph_trees.py", line=378, function="get_obj")
STANDARD = Location(file="/usr/lib/python3.12/json/decoder.py", line=3, function="decode")

COMPILED = compiled(code=STEP, name="step")
crash = Raised(
    type="RuntimeError",
    module="builtins",
    message="kernel, /tmp/a/b.main.cpp:23, index out of bounds: 0 <= tmp7 < 3L",
    when="call",
    region=1,
    call=3,
    frames=(STEP, RUNTIME),
    stack=(CALL,),
    time=10.0,
)
own = replace(crash, type="KeyError", message="'price'", frames=(RAISE,))


def findings(*raised: Raised, status: int = 0, spans: tuple[Span, ...] = (), **about: Any) -> list[Finding]:
    region = Region(id=1, function="step", code=STEP, stack=(CALL,), calls=9, seconds=2.0)
    process = Process(pid=1, regions=(region,), compiles=(COMPILED,), raised=raised, spans=spans)
    return findings_of(Run(processes=(process,), status=status, seconds=100.0, **about))


def test_what_ends_the_program_comes_first_with_the_cause_of_the_catalogue() -> None:
    [found] = findings(replace(crash, ends="program"), status=1)
    assert found.rule == "exception" and found.severity == "fault" and found.lesson == "fix/out-of-range"
    assert found.what == "the program ended with RuntimeError: index out of bounds: 0 <= tmp7 < 3L, in a call of step"
    assert found.where == (CALL, STEP)  # compiled code has the line of the function alone
    assert found.evidence == ("eager mode is likely to raise it too",)


def test_an_exception_of_the_programs_own_is_said_to_be_that_and_nothing_more() -> None:
    [found] = findings(replace(own, ends="program"), status=1)
    assert found.where[0] == RAISE and not found.remedy and not found.lesson
    assert found.evidence == ("it is the program's own exception: eager mode raises it too",)
    inside = replace(own, ends="program", frames=(RAISE, STANDARD))  # json.loads in the program's code
    assert findings(inside, status=1)[0].evidence == found.evidence


def test_a_thread_that_ends_has_a_finding_though_the_program_goes_on() -> None:
    [found] = findings(replace(crash, ends="thread", thread="worker"))
    assert found.severity == "fault" and found.what.startswith("thread worker ended with RuntimeError")


def test_what_the_program_catches_is_advice_with_a_count_and_its_own_is_nothing() -> None:
    [found] = findings(replace(crash, count=3))
    assert (found.rule, found.severity) == ("caught-exception", "advice")
    assert found.what.endswith("in a call of step: 3 times, and the program caught it and went on")
    assert findings(replace(own, count=3)) == []


def test_the_last_of_several_ends_the_program_and_the_others_were_caught() -> None:
    ended, caught = findings(replace(crash, ends="program", count=3), status=1)
    assert (ended.rule, caught.rule) == ("exception", "caught-exception") and ": 2 times" in caught.what


def test_a_program_that_prints_the_exception_and_exits_ended_with_it() -> None:
    [found] = findings(crash, status=1)
    assert found.rule == "exception" and found.what.startswith("the program ended with status 1, after RuntimeError")
    later = span(11.0, 12.0, seconds=0.5)
    assert [found.rule for found in findings(crash, status=1, spans=(later,))] == ["caught-exception"]
    assert [found.rule for found in findings(crash, status=130, stopped="Ctrl-C")] == ["caught-exception"]


def test_an_exception_without_a_message_is_known_by_torchs_line() -> None:
    thread = replace(crash, type="AssertionError", message="", frames=(STEP, TREES), main_thread=False, thread="pool_0")
    [found] = findings(thread)
    assert found.lesson == "fix/cuda-graphs#threads" and "from get_obj, cudagraph_trees.py:378" in found.what
    assert found.evidence[0] == "in thread pool_0"


@pytest.mark.parametrize(
    ("kind", "message", "lesson"),
    [
        (
            "RuntimeError",
            "Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run",
            "gpu/cuda-graphs#what-goes-wrong-an-output-has-been-overwritten",
        ),
        (
            "RuntimeError",
            'Unexpected key(s) in state_dict: "_orig_mod.weight"',
            "pipeline/calling#three-ways-to-apply-torchcompile",
        ),
        ("ValueError", "expected size 3", ""),
        ("FileNotFoundError", "no such file", ""),
    ],
)
def test_what_torch_raises_in_the_programs_own_code_for_what_it_compiled(kind: str, message: str, lesson: str) -> None:
    raised = Raised(type=kind, module="builtins", message=message, ends="program", frames=(CALL,))
    assert [found.lesson for found in findings(raised, status=1)] == ([lesson] if lesson else [])


def test_a_backward_pass_counts_if_compiled_code_is_in_it() -> None:
    message = "This backward function was compiled with non-empty donated buffers which requires retain_graph=False."
    backward = replace(crash, when="backward", message=message, region=None, frames=(CALL, RUNTIME), ends="program")
    [found] = findings(backward, status=1)
    assert found.where == (CALL,) and found.what.endswith("in the backward pass of compiled code")
    assert found.evidence == ("eager mode does not raise it",)
    assert findings(replace(backward, frames=(CALL,), message="element 0 does not require grad"), status=1) == []


def test_a_compile_that_ends_the_program_is_one_finding_at_the_line_in_the_function() -> None:
    inside = Location(file="/work/serve.py", line=5, function="step")
    message = (
        "Unsupported: Data-dependent branching\n  Explanation: no data\n\n more: https://x/gb/gb0170.html\n\n"
        f'from user code:\n   File "{inside.file}", line 5, in step\n'
    )
    failed = replace(COMPILED, outcome="failed", reason=message)
    raised = replace(crash, type="Unsupported", module="torch._dynamo.exc", message=message[13:], frames=())
    region = Region(id=1, function="step", code=STEP, stack=(CALL,), calls=1)
    process = Process(pid=1, regions=(region,), compiles=(failed,), raised=(replace(raised, ends="program"),))
    [found] = findings_of(Run(processes=(process,), status=1))
    assert found.rule == "compile-failed" and found.where[:2] == (inside, CALL)
    assert found.what == "the program ended with Unsupported: Data-dependent branching, when step was compiled"
    assert found.evidence == ("eager mode does not raise it",) and "torch.where" in found.remedy
    process = replace(process, raised=(raised,))
    [found] = findings_of(Run(processes=(process,)))  # the program went on
    assert found.rule == "compile-failed" and found.what.startswith("compiling step failed")
