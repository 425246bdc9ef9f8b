"""A fault has the same words and fix whether a program ran with ``diagnose``, or its function was captured."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from compile_lessons import capture, capture_calls
from compile_lessons.facts.run import Run
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules import findings_of, loops
from compile_lessons.trace.read import read_run

PROGRAM = """
import torch

class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls

def clip(x):
    y = x * 2
    if y.sum() > 10:
        y = y / y.sum()
    return y + 1

def average(x):
    for row in x:
        print("row")
        x = x + row.mean()
    return x

def scan(state, chunks):
    for chunk in chunks:
        update = torch.nn.functional.silu(chunk @ state)
        state = torch.nn.functional.normalize(state + update.mT @ chunk, dim=-1)
    return state

layer = Layer()
if __name__ == "__main__":
    for function in (clip, average):
        torch.compile(function, backend="eager")(torch.ones(4, 4))
    torch.compile(scan, backend="eager")(torch.ones(4, 4), torch.ones(150, 4, 4))
    compiled = torch.compile(layer, backend="eager")
    for _ in range(10):
        compiled(torch.ones(2))
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("same") / "program.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture(scope="module")
def diagnosed(program: Path) -> Run:
    folder = program.parent / "trace"
    command = [sys.executable, "-m", "compile_lessons", "diagnose", "--keep", str(folder), str(program)]
    subprocess.run(command, capture_output=True, check=True, timeout=240)
    return read_run(folder, collected=True, seconds=0.0)


def one(findings: list[Finding], rule: str) -> Finding:
    (found,) = (found for found in findings if found.rule == rule)
    return found


@pytest.mark.parametrize(
    ("name", "inputs", "rule"),
    [
        ("clip", [torch.ones(4, 4)], "graph-break"),
        ("scan", [torch.ones(4, 4), torch.ones(150, 4, 4)], "unrolled-loop"),
    ],
)
def test_of_a_call(
    diagnosed: Run,
    program: Path,
    name: str,
    inputs: list[torch.Tensor],
    rule: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loops, "_LEAST", 0.0)  # any saving counts: a quick machine compiles the loop in a second
    function = runpy.run_path(str(program))[name]
    explained = one(findings_of(capture(function, until="dynamo", backward=False)(*inputs)), rule)
    found = one(findings_of(diagnosed), rule)
    assert (found.remedy, found.lesson, found.where) == (explained.remedy, explained.lesson, explained.where)
    assert found.what.partition(", and compiling")[0] == explained.what.partition(", and compiling")[0]
    assert found.evidence[0].partition(" The branch")[0] == explained.evidence[0].partition(" The branch")[0]


def test_of_a_skipped_function(diagnosed: Run, program: Path) -> None:
    average = runpy.run_path(str(program))["average"]
    explained = one(findings_of(capture(average, until="dynamo")(torch.ones(4, 4))), "skipped")
    found = one(findings_of(diagnosed), "skipped")
    assert found.what == f"{explained.what}: 1 call"
    assert (found.where, found.evidence) == (explained.where, explained.evidence)


def test_of_calls(diagnosed: Run, program: Path) -> None:
    layer = runpy.run_path(str(program))["layer"]
    explained = one(findings_of(capture_calls(layer, backend="eager")([torch.ones(2)] * 10)), "recompile-limit")
    found = one(findings_of(diagnosed), "recompile-limit")
    assert (found.remedy, found.lesson) == (explained.remedy, explained.lesson)
    assert found.where[0].text == explained.where[0].text == "self.calls += 1"
    limit = " reached its limit of 8 versions and runs in eager mode since call "
    assert limit in found.what and limit in explained.what
