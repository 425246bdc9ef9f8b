"""Breaks by cause and by call, each with a line of the user's, and sorted by the tensor work that they separate."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from compile_lessons import capture
from compile_lessons.facts import Break, CompiledGraph, Frame, Graph, Lines, Location, Node, Pipeline
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules import findings_of


def found_by(rule: str, pipeline: Pipeline) -> list[Finding]:
    return [found for found in findings_of(pipeline) if found.rule == rule]


#: A library of ours, installed in a folder as pip does: one call breaks twice in it.
LIBRARY = """
import gc

def count(x):
    gc.collect()
    return again(x)

def again(x):
    gc.get_count()
    return x.ndim
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A module ``breaks_twice`` in a folder ``site-packages``."""
    folder = tmp_path / "site-packages"
    (folder / "breaks_twice").mkdir(parents=True)
    (folder / "breaks_twice" / "__init__.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(folder)
    import breaks_twice

    yield breaks_twice
    del sys.modules["breaks_twice"]


def test_breaks_in_a_library_are_one_finding_at_the_user_s_call(library) -> None:
    def step(x):
        y = torch.relu(x)
        n = library.count(y)
        return y.sin() * n

    pipeline = capture(step, until="dynamo")(torch.ones(3))
    assert len(pipeline.breaks) >= 2
    [found] = found_by("graph-break", pipeline)
    assert found.what == f"break: {len(pipeline.breaks)} graph breaks inside breaks_twice, from one call"
    assert [line.text for line in found.where] == ["n = library.count(y)"]
    assert found.remedy.startswith("call breaks_twice outside") and "third-party" in found.lesson


def test_a_break_in_torch_s_code_has_the_line_that_calls_it() -> None:
    weight = torch.ones(2, requires_grad=True)
    weight.grad = torch.ones(2)
    optimizer = torch.optim.SGD([weight], lr=0.1)

    def step(x):
        y = x + 1
        optimizer.step()
        return y * 2

    pipeline = capture(step, until="dynamo", backward=False)(torch.ones(2))
    assert any(not item.stack for item in pipeline.breaks)
    assert {item.callers[-1].text for item in pipeline.breaks if item.callers} == {"optimizer.step()"}
    [found] = found_by("graph-break", pipeline)
    assert [line.text for line in found.where] == ["optimizer.step()"]
    assert found.what.endswith(f"(GB0025), {len(pipeline.breaks)} times")


def helper(x):
    print("between")
    return x


def test_callers_end_at_the_function_that_was_given() -> None:
    def outer(x):
        torch._dynamo.graph_break()
        return helper(x + 1) * 2

    pipeline = capture(outer, until="dynamo")(torch.ones(2))
    stacks = [(*item.callers, *item.stack) for item in pipeline.breaks]
    assert all(stack[0].text in ("torch._dynamo.graph_break()", "return helper(x + 1) * 2") for stack in stacks)
    assert {stack[-1].text for stack in stacks} >= {"torch._dynamo.graph_break()", 'print("between")'}


def frame(function: str, operations: int, *breaks: Break) -> Frame:
    nodes = tuple(
        Node(name=f"n{i}", op="call_function", target="add", args="", inputs=(), tensors=(), location=None, sources=(),
             decomposed_from=None)
        for i in range(operations)
    )  # fmt: skip
    graph = CompiledGraph(
        dynamo=Graph(kind="dynamo", code="", nodes=nodes), joint=None, forward=None, backward=None, saved=(),
        recomputed=(), inductor=(), missing=(),
    )  # fmt: skip
    return Frame(
        id="0/0", function=function, module="", file="train.py", line=1, resume="resume" in function, original=(),
        rewritten=(), guards=(), guard_tree=None, breaks=breaks, graph=graph if operations else None, error=None,
        seconds=1.0,
    )  # fmt: skip


def at(line: int, kind: str, *callers: Location) -> Break:
    here = Location(file="train.py", line=line, function="main", text=f"line {line}")
    return Break(gb_type=kind, gb_id=None, explanation="", hints=(), context="", stack=(here,), callers=callers)


def pipeline_of(*frames: Frame) -> Pipeline:
    return Pipeline(
        function="main", torch_version="2.13.0", target="cpu", skips=(), phases=(), caches=(),
        comparison=None, failures=(), lines=Lines(lines=(), unknown=()),
        frames=tuple(replace(frame, id=f"{number}/0") for number, frame in enumerate(frames)),
    )  # fmt: skip


SCRIPT = pipeline_of(
    frame("main", 0, at(10, "parse arguments")),
    frame("torch_dynamo_resume_in_main_at_10", 0, at(11, "open a file")),
    frame("torch_dynamo_resume_in_main_at_11", 0, at(12, "set up logging")),
    frame("torch_dynamo_resume_in_main_at_12", 3, at(20, "print the loss")),
    frame("torch_dynamo_resume_in_main_at_20", 7, at(21, "item")),
    frame("torch_dynamo_resume_in_main_at_21", 9),
)


def test_breaks_that_separate_most_tensor_work_come_first() -> None:
    causes = [found.what.removeprefix("break: ") for found in found_by("graph-break", SCRIPT)]
    # 10 operations before ``item`` and 9 after it; 3 and 16 around the print; none before the others.
    assert causes == ["item", "print the loss", "parse arguments", "open a file", "set up logging"]


def test_a_script_s_setup_is_one_line_of_advice() -> None:
    [found] = found_by("setup-explained", SCRIPT)
    assert [line.line for line in found.where] == [10, 11, 12] and "training step" in found.remedy
    assert found.severity == "advice"
    step = pipeline_of(frame("main", 0, at(10, "print")), frame("torch_dynamo_resume_in_main_at_10", 3))
    assert found_by("setup-explained", step) == []


def test_a_function_without_operations_divides_the_work_of_its_caller() -> None:
    call = Location(file="train.py", line=20, function="main", text="log(loss)")
    pipeline = pipeline_of(
        frame("main", 5, at(20, "call")),
        frame("log", 0, at(90, "in the callee", call)),
        frame("torch_dynamo_resume_in_main_at_20", 4, at(30, "late")),
        frame("torch_dynamo_resume_in_main_at_30", 1),
    )
    assert [found.what for found in found_by("graph-break", pipeline)] == [
        "break: call",
        "break: in the callee",
        "break: late",
    ]
