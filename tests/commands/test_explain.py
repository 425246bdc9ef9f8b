"""``compile-lessons explain``, in this process where isolation is not the point."""

import signal
import subprocess
import sys
import time

import psutil
import pytest
import torch
import typer
from typer.testing import CliRunner

from compile_lessons.api.one_call import STAGES
from compile_lessons.commands.explain import PARTS, OneTarget, explain
from compile_lessons.facts import Calls, Pipeline
from compile_lessons.gpu.tools import why_no_triton
from compile_lessons.reports.part_text import SECTIONS

app = typer.Typer()
app.command(cls=OneTarget)(explain)

FILE = r"""
import argparse, atexit, os, signal, sys
import torch

def broken(x, scale=2.0):
    torch._dynamo.graph_break()
    return x * scale

class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1

net = Net()

def on_a_gpu(x):
    return x + torch.ones(3, device="cuda")

def wrong(x):
    return x.nothing

def make_inputs():
    return (torch.ones(3),)

def with_keywords():
    return {"x": torch.ones(3), "scale": 3.0}

def a_list():
    return [torch.ones(3), 2.0]

def sizes():
    return [(torch.ones(n),) for n in (3, 4, 5)]

def no_arguments():
    return ()

def too_many():
    return 1, 2, 3

def differing(x):
    return x * (2 if torch.compiler.is_compiling() else 1)

def epochs():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    print("epochs:", parser.parse_args().epochs)

def interrupted(x):
    signal.raise_signal(signal.SIGINT)

def loud():
    print("print")
    os.system("echo child")
    sys.__stdout__.write("own\n")
    atexit.register(print, "at exit")

def silencing():
    sys.stdout = sys.stderr = open(os.devnull, "w")
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(FILE)
    return lambda *arguments: CliRunner().invoke(app, arguments)


def command(*arguments, **options):
    """The command in a process of its own, with its own standard output."""
    options = {"capture_output": True, "encoding": "utf-8"} | options
    return subprocess.run([sys.executable, "-m", "compile_lessons", "explain", *arguments], check=False, **options)


def test_all_stages_in_one_screen_and_as_json(run, tmp_path):
    result = run("mine.py:broken", "--inputs", "with_keywords", "--only", "breaks", "--json", "out.json")
    assert result.exit_code == 0, result.output
    assert "break: Call to `torch._dynamo.graph_break()`" in result.output and "matches eager mode" not in result.output
    pipeline = Pipeline.from_json((tmp_path / "out.json").read_text())
    assert len(pipeline.breaks) == 1 and len(pipeline.kernels) == 1 and pipeline.comparison.status == "equal"
    result = run("mine.py:broken", "--html", "out.html")
    screen = result.stdout
    assert f"all stages, linked: {tmp_path / 'out.html'}" in result.stderr
    assert '<section id="breaks"' in (tmp_path / "out.html").read_text()
    assert "compiled into 1 graph, 1 graph break\nmatches eager mode" in screen
    assert screen.splitlines()[2] == "the arguments come from make_inputs"
    assert len(screen.splitlines()) <= 50 and "\x1b" not in screen
    times = next(line for line in screen.splitlines() if line.startswith("compile time "))
    assert all(f"{stage} " in times for stage in ("Dynamo", "AOTAutograd", "Inductor"))
    everything = run("mine.py:broken", "--all").output
    assert len(everything.splitlines()) > len(screen.splitlines())
    assert "FxGraphCache miss" in everything


def test_each_part_has_a_stage_and_a_text():
    assert PARTS.keys() == SECTIONS.keys() and set(PARTS.values()) <= set(STAGES)


@pytest.mark.parametrize("part", [part for part, stage in PARTS.items() if stage != "inductor"])
def test_parts_above_inductor_need_no_compiler(run, monkeypatch, part):
    def refuse(*arguments, **options):
        raise AssertionError("Inductor ran")

    monkeypatch.setattr("torch._inductor.compile_fx.compile_fx_inner", refuse)
    result = run("mine.py:broken", "--only", part)
    assert result.exit_code == 0, result.output


def test_calls(run, tmp_path):
    result = run("mine.py:net", "--calls", "sizes", "--json", "out.json")
    assert result.exit_code == 0 and result.output.startswith(
        "Net, 3 calls: compile 1, recompile 1, hit 1; 3 of 3 results match eager mode\n"
    )
    assert Calls.from_json((tmp_path / "out.json").read_text()).recompiles == 1
    assert "advice: Net was compiled 2 times" in result.stdout and "the size of " in result.stdout
    assert result.stdout.endswith("/dynamo/dynamic-shapes/#mark-a-dimension-before-the-first-call\n")


def test_a_limit_that_calls_reach_is_a_failure(run, tmp_path):
    (tmp_path / "counts.py").write_text(
        "import torch\n\n"
        "class Counter(torch.nn.Module):\n    n = 0\n\n"
        "    def forward(self, x):\n        self.n += 1\n        return x * self.n\n\n"
        "counter = Counter()\n\n"
        "def calls():\n    return [torch.ones(2)] * 10\n"
    )
    result = run("counts.py:counter", "--calls", "calls")
    assert result.exit_code == 1 and "runs in eager mode since call 8: 2 of 10 calls" in result.stdout


def test_a_difference_is_shown_with_any_part_that_needs_all_stages(run):
    result = run("mine.py:differing", "--only", "kernels")
    assert result.exit_code == 1 and result.output.startswith("differs from eager mode")


def test_a_failure_names_the_line(run):
    result = run("mine.py:wrong", "--only", "breaks")
    assert result.exit_code == 1 and "failed: AttributeError" in result.output and "return x.nothing" in result.output


@pytest.mark.parametrize(("arguments", "epochs"), [([], 1), (["--", "--epochs", "7"], 7)])
def test_arguments_of_the_script(run, arguments, epochs):
    result = run("mine.py:epochs", "--inputs", "no_arguments", "--only", "breaks", *arguments)
    assert result.exit_code == 0 and f"epochs: {epochs}\n" in result.output


def test_a_list_is_one_argument(run):
    result = run("mine.py:wrong", "--inputs", "a_list")
    assert result.exit_code == 1 and result.stderr.endswith(
        "note: the list was passed as one argument; to pass several arguments, return a tuple\n"
    )
    assert "fixing-breaks" not in result.stdout


def test_an_interrupt(run):
    result = run("mine.py:interrupted", "--only", "breaks")
    assert (result.exit_code, result.stderr) == (130, "error: interrupted\n")


BUSY = """
import os, time
import torch

own = os.getpid()

@torch.compiler.disable
def act():
    if os.getpid() != own:
        open("eager_runs", "w").close()
        while True:
            pass

def f(x):
    act()
    return x + 1

def make_inputs():
    return (torch.ones(3),)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_outlives_the_command(run, tmp_path, number):
    """Not even during the eager run, in forks. A supervisor sends SIGTERM, the system in want of memory SIGKILL."""
    (tmp_path / "busy.py").write_text(BUSY)
    process = subprocess.Popen([sys.executable, "-m", "compile_lessons", "explain", "busy.py:f"], stdout=-1)
    deadline = time.monotonic() + 120
    while not (tmp_path / "eager_runs").exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)
    below = psutil.Process(process.pid).children(recursive=True)
    assert len(below) >= 2
    process.send_signal(number)
    assert process.wait(60) == -number
    _, alive = psutil.wait_procs(below, timeout=60)
    assert [each for each in alive if each.status() != psutil.STATUS_ZOMBIE] == []


def test_an_interrupt_while_the_file_is_imported(run, tmp_path):
    (tmp_path / "slow.py").write_text("import time\nprint('ready', flush=True); time.sleep(60)\ndef f(): ...\n")
    arguments = [sys.executable, "-m", "compile_lessons", "explain", "slow.py:f"]
    listen = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler)}
    with subprocess.Popen(arguments, stdout=-1, stderr=-1, text=True, **listen) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    place = f"{tmp_path}/slow.py:2: print('ready', flush=True); time.sleep(60)"
    assert error == f"error: interrupted while slow.py ran\n  at {place}\n"


#: Prints the breaks of a function, and then its screen, each followed by the parts of Inductor that are loaded by then.
TWICE = """
import sys
from compile_lessons.commands.cli import app

parts = ("torch._inductor.compile_fx", "torch._inductor.graph", "torch._inductor.codegen.triton")
for options in (["--only", "breaks"], []):
    app(["explain", "mine.py:net", *options], standalone_mode=False)
    print("loaded:", *(name for name in parts if name in sys.modules), flush=True)
"""


def test_a_screen_does_not_wait_for_what_it_does_not_show(run):
    """Graph breaks need no part of Inductor that writes code."""
    done = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, text=True, check=True)
    breaks, screen = done.stdout.split("loaded:")[1:]
    assert breaks.startswith("\n") and screen.startswith(" torch._inductor.compile_fx ")
    assert "compiled into 1 graph" in done.stdout
    assert "hashing torch's files" not in done.stdout, "for keys of torch's caches, which only --all shows"


def test_json_on_standard_output_has_nothing_of_the_reader_s_code(run):
    done = command("mine.py:loud", "--inputs", "no_arguments", "--json", "-")
    assert done.returncode == 0, done.stderr
    assert Pipeline.from_json(done.stdout).function == "loud"
    assert {"print", "child", "own", "at exit"} <= set(done.stderr.splitlines())


def test_streams_that_the_reader_s_code_replaces(run):
    result = run("mine.py:silencing", "--inputs", "no_arguments", "--only", "breaks")
    assert result.exit_code == 0 and result.output.startswith("break: ")


def test_without_a_compiler(run, tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    # What CXX=no-such-compiler makes of it, when torch is imported.
    with torch._inductor.config.patch({"cpp.cxx": (None, "no-such-compiler")}):
        result = run("mine.py:Net")
    assert result.exit_code == 1 and "inductor failed" in result.stdout and "compiler" in result.stdout
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--inputs", "too_many"], "the arguments come from mine.py:too_many"),
        (["--only", "assembly"], "--only 'assembly' is not known\n  Fix: name some of breaks, "),
        (["--only", ","], "is not known\n  Fix: name some of breaks, "),
        (["--only", "machine"], "Fix: name the GPU with --target"),
        (["--only", "breaks", "--all"], "Fix: use --all or --only"),
        (["--calls", "sizes", "--inputs", "make_inputs"], "--calls counts compiles on the CPU"),
        (["--calls", "sizes", "--target", "h200"], "--calls counts compiles on the CPU"),
        (["--json", "no/folder.json"], "Fix: name a .json file in a folder that exists"),
        (["--json", "mine.py"], "Fix: name a .json file in a folder that exists"),
        (["--html", "no/folder.html"], "Fix: name an .html file in a folder that exists"),
        (["--html", "mine.py"], "Fix: name an .html file in a folder that exists"),
        (["--html", "out.html", "--calls", "sizes"], "--html shows one compile and can't be combined with --calls"),
        (["--target", "h300"], "Fix: name one of cpu, h200"),
    ],
)
def test_options_that_are_refused(run, options, message):
    result = run("mine.py:broken", *options)
    assert result.exit_code == 2 and message in result.stderr


def test_a_function_that_needs_a_gpu(run, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    result = run("mine.py:on_a_gpu", "--only", "breaks")
    assert result.exit_code == 1 and result.output.splitlines()[-1].startswith("Fix: add --target h200, ")


def test_missing_tools_for_a_gpu_are_a_message(run, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    result = run("mine.py:broken", "--target", "h200")
    assert result.exit_code == 2 and "no official package for macOS" in result.stderr


@pytest.mark.skipif(bool(why_no_triton()), reason="needs triton")
def test_for_a_gpu_that_is_not_there(run):
    result = run("mine.py:broken", "--target", "h200", "--only", "kernels,machine")
    assert result.exit_code == 0
    assert "triton_poi_fused" in result.output and ".target sm_90a" in result.output and "EXIT" in result.output
