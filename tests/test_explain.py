"""``compile-lessons explain``, called as typer calls it."""

import errno
import json
import os
import pathlib
import re
import subprocess
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
        textwrap.dedent(r"""
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

            def no_calls():
                return []

            def misfit():
                return [(torch.ones(3),), (1, 2, 3)]

            def missing():
                return [(torch.ones(3),), None]

            def of_all_forms():
                x = torch.ones(3)
                return [x, (x, 3.0), {"x": x, "scale": 3.0}, ((x,), {"scale": 3.0})]

            def three(x, y, z):
                return x

            class Plain:
                def __call__(self, x):
                    return x

            number = 3

            tickets = __import__("itertools").count(1)

            @torch.compiler.disable
            def ticket():
                return next(tickets)

            class Unprintable:
                def __init__(self, text):
                    self.text = text

                def __repr__(self):
                    return self.text

            def described(thing):
                return torch.ones(3)

            def things():
                return [Unprintable(None), Unprintable("one\n  two")]

            def numbered(x):
                return x * ticket()

            def printing(x):
                print("printed")
                return x

            table = torch.ones(30, 30)
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


def test_a_part_named_twice_is_shown_once(run):
    assert run("mine.py:doubled", "--only", "breaks,breaks").output.count("break: ") == 1


def test_the_help_has_no_line_ends_of_the_source():
    from compile_lessons.cli import app as whole

    result = CliRunner().invoke(whole, ["explain", "--help"], env={"COLUMNS": "300", "TERMINAL_WIDTH": "300"})
    assert "Without --inputs the function make_inputs of the same file" in result.output


def test_the_user_s_line_is_not_in_inductor_s_file(run, tmp_path):
    (tmp_path / "op.py").write_text(
        textwrap.dedent("""
            import torch

            @torch.library.custom_op("explained::wrong", mutates_args=())
            def wrong(x: torch.Tensor) -> torch.Tensor:
                return torch.cat([x, x])

            @wrong.register_fake
            def _(x):
                return torch.empty_like(x)

            def f(x):
                return wrong(x + 1) * 2
        """)
    )
    result = run("op.py:f", "--inputs", "mine.py:make_inputs", "--json", "out.json", "--only", "breaks")
    assert result.exit_code == 1
    failure = Pipeline.from_json((tmp_path / "out.json").read_text()).failures[0]
    assert "expected size 6==3" in failure.message
    assert failure.location is None or failure.location.file.endswith("op.py")


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


def test_calls_have_the_forms_of_inputs(run):
    result = run("mine.py:doubled", "--calls", "of_all_forms")
    assert result.exit_code == 0, result.output
    assert [line.split("  ")[2].strip() for line in result.output.splitlines()[2:]] == [
        "float32[3]",
        "float32[3], 3.0",
        "x=float32[3], scale=3.0",
        "float32[3], scale=3.0",
    ]


def test_arguments_that_are_hard_to_show(run):
    result = run("mine.py:described", "--calls", "things")
    assert result.exit_code == 0, result.output
    assert [line.split("  ")[2].strip() for line in result.output.splitlines()[2:4]] == ["<Unprintable>", "one two"]


def test_calls_need_no_compiler(run):
    environment = os.environ | {"CXX": "no-such-compiler", "TORCHINDUCTOR_CACHE_DIR": os.getcwd()}
    command = [sys.executable, "-m", "compile_lessons", "explain", "mine.py:net", "--calls", "sizes"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "recompile" in done.stdout


def command(*arguments, **options):
    """The command in a process of its own, with its own standard output."""
    options = {"capture_output": True, "encoding": "utf-8"} | options
    return subprocess.run([sys.executable, "-m", "compile_lessons", "explain", *arguments], check=False, **options)


@pytest.mark.parametrize("out", ["-", "/dev/stdout"])
def test_json_on_standard_output(run, tmp_path, out):
    """Whatever the reader's code writes there, in Python or below it, does not get into the JSON."""
    (tmp_path / "loud.py").write_text(
        "import atexit, os, sys\n\n"
        "atexit.register(print, 'at exit')\n\n"
        "def loud():\n    print('print')\n    os.system('echo child')\n    sys.__stdout__.write('own\\n')\n"
    )
    done = command("loud.py:loud", "--json", out)
    assert done.returncode == 0, done.stderr
    assert Pipeline.from_json(done.stdout).function == "loud"
    assert {"print", "child", "at exit"} <= set(done.stderr.splitlines())


def test_json_into_the_file_that_is_standard_output(run, tmp_path):
    (tmp_path / "quiet.py").write_text("def quiet():\n    print('printed')\n")
    with open("out.json", "w") as out:
        done = command("quiet.py:quiet", "--json", "out.json", stdout=out, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 0, done.stderr
    assert Pipeline.from_json((tmp_path / "out.json").read_text()).function == "quiet"


def test_json_that_can_t_be_written_in_the_end(run, monkeypatch, tmp_path):
    def full(*arguments, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "out.json").write_text("old")
    monkeypatch.setattr(pathlib.Path, "write_bytes", full)
    result = run("mine.py:net", "--json", "out.json", "--only", "graphs")
    assert result.exit_code == 2
    assert "aten.add.Tensor" in result.stdout
    assert result.stderr == "error: out.json can't be written: No space left on device\n"
    assert (tmp_path / "out.json").read_text() == "old"
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".py"]


def test_json_through_a_link_keeps_the_link_and_the_mode(run, tmp_path):
    (tmp_path / "quiet.py").write_text("def quiet():\n    pass\n")
    (tmp_path / "out.json").touch(0o640)
    (tmp_path / "link.json").symlink_to("out.json")
    assert run("quiet.py:quiet", "--json", "link.json").exit_code == 0
    assert (tmp_path / "link.json").is_symlink()
    assert Pipeline.from_json((tmp_path / "out.json").read_text()).function == "quiet"
    assert (tmp_path / "out.json").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no names for descriptors")
def test_json_into_a_pipe_that_the_shell_names(run, tmp_path):
    (tmp_path / "quiet.py").write_text("def quiet():\n    pass\n")
    read, end = os.pipe()
    done = command("quiet.py:quiet", "--json", f"/dev/fd/{end}", pass_fds=[end])
    os.close(end)
    with open(read, encoding="utf-8") as pipe:
        assert (done.returncode, Pipeline.from_json(pipe.read()).function) == (0, "quiet"), done.stderr


def test_paths_are_those_of_the_folder_where_they_were_typed(run, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "going.py").write_text("import os\n\nos.chdir('elsewhere')\n\ndef f(x):\n    return x\n")
    result = run("going.py:f", "--inputs", "mine.py:make_inputs", "--json", "out.json", "--only", "breaks")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "out.json").exists()
    os.chdir(tmp_path)
    assert "in call 1 of mine.py:misfit" in run("going.py:f", "--calls", "mine.py:misfit").output


STREAMS = {
    "a tee without isatty": """
        class Tee:
            def __init__(self, stream):
                self.stream, self.log = stream, open("log.txt", "a")
            def write(self, text):
                self.stream.write(text), self.log.write(text)
            def flush(self):
                self.stream.flush()
        sys.stdout, sys.stderr = Tee(sys.stdout), Tee(sys.stderr)
    """,
    "a log": "sys.stdout = sys.stderr = open('log.txt', 'w')",
    "nothing": "sys.stdout = sys.stderr = None",
}


@pytest.mark.parametrize("replacing", STREAMS.values(), ids=STREAMS)
def test_streams_that_the_reader_s_file_replaces(run, tmp_path, replacing):
    text = f"import sys\n{textwrap.dedent(replacing)}\ndef quiet():\n    print('printed')\n"
    (tmp_path / "streams.py").write_text(text)
    result = run("streams.py:quiet")
    assert result.exit_code == 0, result.output
    assert "quiet on cpu" in result.stdout and result.stderr == ""
    log = tmp_path / "log.txt"
    assert not log.exists() or set(log.read_text().split()) <= {"printed"}


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no folder that root can't write into")
def test_a_folder_of_inductor_s_that_can_t_be_made(run):
    done = command("mine.py:doubled", env=os.environ | {"TORCHINDUCTOR_CACHE_DIR": "/proc/none"})
    assert done.returncode == 2
    assert done.stderr == (
        "error: /proc/none can't be made: No such file or directory\n"
        "  TORCHINDUCTOR_CACHE_DIR names it for what Inductor writes: name a folder that you may write into\n"
    )


def test_warnings_that_are_errors_to_torch(run, tmp_path):
    (tmp_path / "quiet.py").write_text("def quiet():\n    pass\n")
    done = command("quiet.py:quiet", env=os.environ | {"PYTHONWARNINGS": "error"})
    if done.returncode:  # a torch that imports without a warning has no problem
        assert done.returncode == 2 and "Traceback" not in done.stderr
        assert "torch can't be imported where warnings are errors, as with PYTHONWARNINGS=error" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="closes descriptors in a shell")
@pytest.mark.parametrize("json", [[], ["--json", "-"]])
def test_without_standard_error(run, tmp_path, json):
    (tmp_path / "quiet.py").write_text("def quiet():\n    print('printed')\n")
    arguments = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-m", "compile_lessons", "explain"]
    done = subprocess.run([*arguments, "quiet.py:quiet", *json], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0
    assert Pipeline.from_json(done.stdout).function == "quiet" if json else "quiet on cpu" in done.stdout


def test_text_that_the_encoding_lacks(run, tmp_path):
    (tmp_path / "letters.py").write_text("def f():\n    raise ValueError('\\u2026\\udc80')\n")
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = command("letters.py:f", "--json", "out.json", env=environment, encoding="latin-1")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert r"ValueError: \u2026\udc80" in done.stdout
    written = Pipeline.from_json((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert written.failures[0].message == "\u2026\udc80"


def test_the_call_sees_the_command_line_of_a_script(run, tmp_path):
    (tmp_path / "parsing.py").write_text(
        "import argparse\n\ndef main():\n    argparse.ArgumentParser().parse_args()\n\ndef twice():\n"
        "    return [(), ()]\n"
    )
    for more in [], ["--calls", "twice"]:
        result = run("parsing.py:main", *more)
        assert result.exit_code == 0, result.output


def test_json_without_permission_is_refused_before_the_compile(run, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    result = run("mine.py:printing", "--json", "out.json")
    assert (result.exit_code, result.output) == (2, "error: out.json can't be written: you have no permission\n")


def test_a_different_result_is_told_with_any_part(run):
    result = run("mine.py:numbered", "--only", "breaks")
    assert result.exit_code == 1
    assert result.output.startswith("different from eager")
    assert "break: " in result.output


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mine.py:zzz"], "mine.py has no 'zzz'; it has: Net, Plain, Sized, "),
        (["mine.py:doubld"], "mine.py has no 'doubld'; did you mean doubled?"),
        (["mine.py:net.forwards"], "did you mean forward?"),
        (["mine.py:Net.forward"], "Net.forward is a method: make an instance in mine.py"),
        (["mine.py:number"], "mine.py:number is not callable, its type is int: name a function"),
        (["mine.py:table"], "mine.py:table is not callable, its type is Tensor: name a function"),
        (["mine.py:Plain"], "error: Plain is a class: make an instance in mine.py, and name it"),
        (["mine.py:done"], "doubled is already compiled: give the original, doubled at mine.py:4"),
        (["mine.py:done"], "in mine.py, take torch.compile away, or name what was given to it"),
        (["other.py:f"], "there is no file other.py"),
        (["mine.py"], "'mine.py' is not of the form FILE.py:NAME; mine.py has: Net, Plain, Sized, "),
        (["mine.py:"], "'mine.py:' is not of the form FILE.py:NAME; mine.py has: Net, Plain, Sized, "),
        (["mine"], "'mine' is not of the form FILE.py:NAME"),
        (["mine.py:doubled", "--calls", ""], "'' is not of the form NAME or FILE.py:NAME; mine.py has: Net, "),
        (["mine.py:doubled", "--inputs", "bare.py"], "is not of the form NAME or FILE.py:NAME; bare.py has: f\n"),
        (["mine.py:doubled", "--json", "loop.json"], "loop.json can't be used: "),
        (["mine.py:doubled", "--json", "x" * 300], " can't be used: File name too long"),
        (["mine.py:doubled", "--only", "assembly"], "--only does not know assembly"),
        (["mine.py:doubled", "--inputs", "too_many"], "does not take these inputs: too many positional arguments"),
        (["mine.py:doubled", "--inputs", "fails"], "OSError: no data here"),
        (["mine.py:doubled", "--inputs", "none"], "mine.py:none returned None: does it lack a return?"),
        (["mine.py:doubled", "--inputs", "number"], "mine.py:number must be a function that returns the arguments"),
        (["mine.py:doubled", "--inputs", "too_many"], "the arguments are those that mine.py:too_many returned"),
        (["mine.py:three"], "the arguments are those that make_inputs of mine.py returned; --inputs names another"),
        (["mine.py:doubled", "--calls", "none"], "mine.py:none must return a list of calls' arguments, not NoneType"),
        (["mine.py:doubled", "--calls", "too_many"], "must return a list of calls' arguments, not tuple"),
        (
            ["mine.py:doubled", "--calls", "no_calls"],
            "mine.py:no_calls returned an empty list: there is nothing to call",
        ),
        (["mine.py:doubled", "--calls", "misfit"], "too many positional arguments (doubled at mine.py:4)"),
        (["mine.py:doubled", "--calls", "misfit"], "in call 1 of mine.py:misfit"),
        (["mine.py:doubled", "--calls", "missing"], "call 1 of mine.py:missing is None"),
        (["mine.py:doubled", "--inputs", "sizes", "--calls", "sizes"], "--inputs is for one call, --calls for several"),
        (["mine.py:doubled", "--calls", "sizes", "--only", "guards"], "--only does not go with --calls"),
        (["mine.py:doubled", "--json", "no/folder.json"], "there is no folder no to write folder.json into"),
        (["mine.py:doubled", "--json", "."], ". is a folder: name a file in it"),
        (["mine.py:doubled", "--json", ""], "--json needs the name of a file, or - for standard output"),
        (["mine.py:doubled", "--json", "mine.py"], "--json does not write into mine.py: a .py file is source code"),
        (["mine.py:doubled", "--json", "link.json"], "--json does not write into link.json"),
        (["mine.py:doubled", "--only", ","], "--only names no part; it knows graphs, breaks"),
        (
            ["mine.py:doubled", "--only", "machine"],
            "--only machine is the machine code for a GPU: name one with --target",
        ),
        (["mine.py:Sized"], "missing 1 required positional argument: 'size'"),
        (["mine.py:Sized"], "Sized is a class: make an instance in mine.py, and name it"),
        (["bare.py:f"], "or with a function make_inputs in the same file"),
        (["syntax.py:f"], "SyntaxError: expected ':'\n  at {folder}/syntax.py:1: def f(x)"),
    ],
)
def test_bad_input(run, arguments, message, tmp_path):
    (tmp_path / "bare.py").write_text("def f(x):\n    return x\n")
    (tmp_path / "link.json").symlink_to("mine.py")
    (tmp_path / "loop.json").symlink_to("loop.json")
    (tmp_path / "syntax.py").write_text("def f(x)\n    return x\n")
    result = run(*arguments)
    assert result.exit_code == 2
    assert message.format(folder=tmp_path) in result.output
    assert "Traceback" not in result.output


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
@pytest.mark.parametrize("name", ["scripted", "traced", "function"])
def test_torchscript(run, tmp_path, name):
    (tmp_path / "script.py").write_text(
        textwrap.dedent("""
            import torch
            from mine import Net

            scripted = torch.jit.script(Net())
            traced = torch.jit.trace(Net(), torch.ones(3))

            @torch.jit.script
            def function(x):
                return x
        """)
    )
    result = run(f"script.py:{name}", "--inputs", "mine.py:make_inputs")
    assert result.exit_code == 2
    assert "is TorchScript, which Dynamo does not trace: give the module or function it was made of" in result.output


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
    assert (unknown.exit_code, "known targets: cpu, h200" in unknown.output) == (2, True)
    assert "Device" not in unknown.output
    assert run("mine.py:doubled", "--target", "CPU", "--only", "breaks").exit_code == 0
    counted = run("mine.py:doubled", "--calls", "sizes", "--target", "h200")
    assert (counted.exit_code, "leave --target out" in counted.output) == (2, True)
    monkeypatch.setattr(sys, "platform", "darwin")
    elsewhere = run("mine.py:doubled", "--target", "h200")
    assert (elsewhere.exit_code, "no official package for macOS" in elsewhere.output) == (2, True)
