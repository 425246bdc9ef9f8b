"""``compile-lessons explain``, called as typer calls it."""

import json
import sys
import textwrap

import pytest
import typer
from typer.testing import CliRunner

from compile_lessons.explain import explain
from compile_lessons.gpu.tools import why_no_triton
from compile_lessons.pipeline import Calls, Pipeline

app = typer.Typer()
app.command()(explain)


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        textwrap.dedent("""
            import torch

            def doubled(x, scale=2.0):
                torch._dynamo.graph_break()
                return x * scale

            class Net(torch.nn.Module):
                def forward(self, x):
                    return x + 1

            class Sized(torch.nn.Module):
                def __init__(self, size):
                    super().__init__()

            net = Net()

            def wrong(x):
                return x.nothing

            def make_inputs():
                return (torch.ones(3),)

            def with_keywords():
                return (torch.ones(3),), {"scale": 3.0}

            def sizes():
                return [(torch.ones(n),) for n in (3, 4, 5)]

            def too_many():
                return 1, 2, 3

            def fails():
                raise OSError("no data here")
        """)
    )
    return lambda *arguments: CliRunner().invoke(app, arguments)


def test_everything(run):
    result = run("mine.py:doubled")
    assert result.exit_code == 0, result.output
    assert "equal to eager" in result.output
    assert "break: Call to `torch._dynamo.graph_break()`" in result.output
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    ("part", "expected"), [("breaks", "mine.py:5"), ("kernels", "cpp_fused_mul"), ("code", "async_compile")]
)
def test_only_some_parts(run, part, expected):
    result = run("mine.py:doubled", "--only", part)
    assert result.exit_code == 0 and expected in result.output
    assert "equal to eager" not in result.output


def test_inputs_with_keywords_and_json(run, tmp_path):
    result = run("mine.py:doubled", "--inputs", "mine.py:with_keywords", "--json", "out.json")
    assert result.exit_code == 0, result.output
    assert len(Pipeline.from_json((tmp_path / "out.json").read_text()).breaks) == 1


def test_calls(run, tmp_path):
    result = run("mine.py:net", "--calls", "sizes", "--json", "out.json")
    assert result.exit_code == 0, result.output
    found = Calls.from_json((tmp_path / "out.json").read_text())
    assert [call.outcome for call in found.calls] == ["compile", "recompile", "hit"]
    assert json.loads((tmp_path / "out.json").read_text())["schema"] == found.schema


def test_a_module_class_is_instantiated(run):
    assert "add" in run("mine.py:Net", "--only", "graphs").output


def test_a_failure_shows_the_user_s_line_and_is_an_error(run):
    result = run("mine.py:wrong", "--only", "graphs")
    assert result.exit_code == 1
    assert "at mine.py:" in result.output and "return x.nothing" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mine.py:nothing"], "mine.py has no 'nothing'; it has: Net, Sized, doubled"),
        (["other.py:f"], "there is no file other.py"),
        (["mine.py"], "not of the form FILE.py:NAME"),
        (["mine.py:doubled", "--only", "assembly"], "--only does not know assembly"),
        (["mine.py:doubled", "--inputs", "too_many"], "does not take these inputs: too many positional arguments"),
        (["mine.py:doubled", "--inputs", "fails"], "OSError: no data here"),
        (["mine.py:Sized"], "missing 1 required positional argument: 'size'"),
    ],
)
def test_bad_input(run, arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_a_file_that_does_not_run(run, tmp_path):
    (tmp_path / "broken.py").write_text("import torch\n1 / 0\n")
    result = run("broken.py:f")
    assert result.exit_code == 2
    assert "ZeroDivisionError" in result.output and "broken.py:2: 1 / 0" in result.output


@pytest.mark.skipif(bool(why_no_triton()), reason="needs triton")
def test_for_a_gpu_that_is_not_there(run):
    found = run("mine.py:doubled", "--inputs", "make_inputs", "--target", "h200", "--only", "kernels,machine")
    assert found.exit_code == 0
    assert "triton_poi_fused" in found.output
    assert ".target sm_90a" in found.output
    assert "EXIT" in found.output
    assert "on NVIDIA H200" in run("mine.py:doubled", "--target", "h200").output


def test_targets_that_can_t_be(run, monkeypatch):
    unknown = run("mine.py:doubled", "--target", "h300")
    assert (unknown.exit_code, "known targets: 'cpu', 'h200'" in unknown.output) == (2, True)
    counted = run("mine.py:doubled", "--calls", "sizes", "--target", "h200")
    assert (counted.exit_code, "leave --target out" in counted.output) == (2, True)
    monkeypatch.setattr(sys, "platform", "darwin")
    elsewhere = run("mine.py:doubled", "--target", "h200")
    assert (elsewhere.exit_code, "no official package for macOS" in elsewhere.output) == (2, True)
