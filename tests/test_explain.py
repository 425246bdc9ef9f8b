"""``compile-lessons explain``, called as typer calls it."""

import functools
import json
import os
import re
import signal
import subprocess
import sys
import textwrap

import pexpect
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

            number = 3
            done = torch.compile(doubled)

            def none():
                return None

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
    # torch 2.11 refuses it in Dynamo, later versions in the compiled call, as eager mode does.
    assert re.search("^eager( and compiled call)? failed: AttributeError", result.output)
    assert "at mine.py:" in result.output and "return x.nothing" in result.output
    if "eager and compiled" in result.output:
        assert result.output.count("return x.nothing") == 1


def test_without_a_compiler(run, monkeypatch, tmp_path):
    monkeypatch.setenv("CXX", "no-such-compiler")
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-m", "compile_lessons", "explain", "mine.py:Net"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "aten.add.Tensor" in done.stdout
    assert "no inductor inference: " in done.stdout and "compiler" in done.stdout
    assert "Traceback" not in done.stdout


SHORT, LONG = "frame 0/0 f\n" * 3, "frame 0/0 f\n" * 200


def in_terminal(text, columns=100, **environment):
    """What a terminal gets when ``text`` is written there, and the exit status."""
    return spawn(["-c", f"from compile_lessons.terminal import write; write({text!r})"], columns, environment)


def spawn(arguments, columns=100, environment=None):
    child = pexpect.spawn(
        sys.executable,
        arguments,
        dimensions=(24, columns),
        env=os.environ | {"TERM": "xterm-256color", "PAGER": "cat"} | (environment or {}),
        encoding="utf-8",
        timeout=120,
    )
    child.expect(pexpect.EOF)
    child.close()
    return child.before.replace("\r\n", "\n"), child.exitstatus


@pytest.fixture
def plain_environment(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "LESS", "MANPAGER", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("plain_environment")
class TestTerminal:
    def test_colors_and_no_pager_for_a_short_text(self):
        assert in_terminal(SHORT, PAGER="echo paged") == ("\x1b[1mframe 0/0 f\x1b[0m\n" * 3 + "\n", 0)

    def test_no_color(self):
        assert in_terminal(SHORT, NO_COLOR="1") == (SHORT + "\n", 0)
        assert in_terminal(LONG, NO_COLOR="1") == (LONG + "\n", 0)

    def test_a_dumb_terminal(self):
        assert "\x1b" not in in_terminal(LONG, TERM="dumb")[0]

    def test_a_long_text_goes_through_the_pager(self, tmp_path):
        shown, status = in_terminal(LONG, PAGER=f"cat > {tmp_path}/paged; echo LESS=$LESS")
        assert (shown, status) == ("LESS=FRX\n", 0)
        assert (tmp_path / "paged").read_text() == "\x1b[1mframe 0/0 f\x1b[0m\n" * 200 + "\n"

    def test_less_options_of_the_reader_stay(self):
        assert in_terminal(LONG, PAGER="cat > /dev/null; echo LESS=$LESS", LESS="-S")[0] == "LESS=-S\n"

    def test_lines_are_not_cut_in_a_narrow_terminal(self):
        line = "x" * 95
        assert in_terminal(line, columns=60)[0] == line + "\n"

    def test_quitting_the_pager_early(self):
        very_long = "from compile_lessons.terminal import write; write('frame 0/0 f\\n' * 40_000)"
        shown, status = spawn(["-c", very_long], environment={"PAGER": "head -1"})
        assert "frame 0/0 f" in shown and "Traceback" not in shown and "Broken" not in shown
        assert status == 0

    def test_interrupting_the_pager(self):
        code = f"from compile_lessons.terminal import write; write({LONG!r})"
        # The whole text is read first: from then on the writer only waits.
        pager = "trap 'echo interrupted; exit' INT; cat > /dev/null; echo ready; while true; do sleep 0.1; done"
        environment = os.environ | {"TERM": "xterm", "PAGER": pager}
        listen = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a job in the background ignores it
        child = pexpect.spawn(
            sys.executable, ["-c", code], env=environment, encoding="utf-8", timeout=60, preexec_fn=listen
        )
        child.expect("ready")
        child.sendintr()
        child.expect(pexpect.EOF)
        child.close()
        assert "interrupted" in child.before and "Traceback" not in child.before
        assert child.exitstatus == 0

    def test_into_a_pipe_that_closes_early(self):
        script = """
            import typer
            from compile_lessons.terminal import write
            app = typer.Typer()
            app.command()(lambda: write("frame 0/0 f\\n" * 40_000))
            app()
        """
        done = subprocess.run(
            '"$PYTHON" -c "$SCRIPT" | head -1',
            shell=True,
            env=os.environ | {"PYTHON": sys.executable, "SCRIPT": textwrap.dedent(script)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert (done.stdout, done.stderr) == ("frame 0/0 f\n", "")

    def test_the_command(self, run):
        shown, status = spawn(["-m", "compile_lessons", "explain", "mine.py:wrong", "--only", "breaks"])
        assert re.search(r"\x1b\[31meager.* failed: AttributeError", shown) and status == 1
        shown, status = spawn(["-m", "compile_lessons", "explain", "mine.py:doubled", "--only", "breaks"])
        assert "\x1b[33mbreak: Call to `torch._dynamo.graph_break()`" in shown and status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mine.py:nothing"], "mine.py has no 'nothing'; it has: Net, Sized, done, doubled, "),
        (["mine.py:doubld"], "mine.py has no 'doubld'; did you mean doubled?"),
        (["mine.py:net.forwards"], "did you mean forward?"),
        (["mine.py:Net.forward"], "Net.forward is a method: make an instance in mine.py"),
        (["mine.py:number"], "3 is not callable"),
        (["mine.py:done"], "doubled is already compiled: give the original, doubled at mine.py:4"),
        (["other.py:f"], "there is no file other.py"),
        (["mine.py"], "not of the form FILE.py:NAME"),
        (["mine.py:doubled", "--only", "assembly"], "--only does not know assembly"),
        (["mine.py:doubled", "--inputs", "too_many"], "does not take these inputs: too many positional arguments"),
        (["mine.py:doubled", "--inputs", "fails"], "OSError: no data here"),
        (["mine.py:doubled", "--inputs", "none", "--calls", "none"], "none must return a list of calls' arguments"),
        (["mine.py:doubled", "--calls", "sizes", "--only", "guards"], "--only does not go with --calls"),
        (["mine.py:doubled", "--json", "no/folder.json"], "there is no folder no to write folder.json into"),
        (["mine.py:doubled", "--json", "."], ". can't be written: Is a directory"),
        (["mine.py:Sized"], "missing 1 required positional argument: 'size'"),
        (["mine.py:Sized"], "Sized is a class: make an instance in mine.py, and name it"),
        (["bare.py:f"], "or with a function make_inputs in the same file"),
        (["syntax.py:f"], "SyntaxError: expected ':'\n  at {folder}/syntax.py:1: def f(x)"),
    ],
)
def test_bad_input(run, arguments, message, tmp_path):
    (tmp_path / "bare.py").write_text("def f(x):\n    return x\n")
    (tmp_path / "syntax.py").write_text("def f(x)\n    return x\n")
    result = run(*arguments)
    assert result.exit_code == 2
    assert message.format(folder=tmp_path) in result.output
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
