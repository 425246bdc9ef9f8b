"""Whatever prints can lose its reader, before a command begins or by what the reader's own code does."""

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = f"{sys.executable} -m compile_lessons"
LOST = "error: standard output can't be written: "

#: A command, and its status where it has readers.
COMMANDS = {"--version": 0, "--help": 0, "lab list": 0, "explain nothing.py:f": 2}


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("redirection", "reason"), [(">&-", "Bad file descriptor"), ("> /dev/full", "No space left on device")]
)
@pytest.mark.parametrize("command", COMMANDS)
def test_standard_output_that_cannot_be_written(tmp_path: Path, command: str, redirection: str, reason: str) -> None:
    """A command that prints nothing there ends as ever."""
    done = shell(f"{COMMAND} {command} {redirection}", tmp_path)
    if COMMANDS[command] == 0:
        assert (done.returncode, done.stderr) == (1, f"{LOST}{reason}\n")
    else:
        assert (done.returncode, done.stderr) == (2, "error: there is no file nothing.py\n")


@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full"])
@pytest.mark.parametrize("command", COMMANDS)
def test_standard_error_that_cannot_be_written(tmp_path: Path, command: str, redirection: str) -> None:
    done = shell(f"{COMMAND} {command} {redirection}", tmp_path)
    assert (done.returncode, done.stderr) == (COMMANDS[command], "")
    assert bool(done.stdout) == (COMMANDS[command] == 0), "what is for standard error goes nowhere else"


def test_a_pipe_that_is_closed(tmp_path: Path) -> None:
    """Whoever closed it has seen enough, and needs no message."""
    done = shell(f"{COMMAND} lab list | true; echo ${{PIPESTATUS[0]}}", tmp_path)
    assert (done.stdout, done.stderr) == ("1\n", "")


FILE = """
import torch

def f(x):
    print("printed")
    return x

def make_inputs():
    return (torch.ones(3),)
"""


@pytest.mark.parametrize("options", ["--json -", "--json out.json"])
def test_an_explanation_that_cannot_be_written(tmp_path: Path, options: str) -> None:
    """Neither as JSON nor as text, also where the function prints. A file is written first."""
    (tmp_path / "mine.py").write_text(FILE)
    done = shell(f"{COMMAND} explain mine.py:f --only breaks {options} > /dev/full", tmp_path)
    assert done.returncode == 1 and done.stderr.endswith(f"{LOST}No space left on device\n")
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
    assert (tmp_path / "out.json").exists() == ("out" in options)


#: A command that runs code of the reader's, and prints afterwards.
SCRIPT = """
import os, sys, typer
from compile_lessons.commands.terminal import write
from compile_lessons.ground.streams import keep_streams, run_command
app = typer.Typer()
@app.command()
def command():
    with keep_streams():
        {code}
    write("explained")
    print("said", file=sys.stderr)
run_command(app, "command")
"""
CODE = {
    "pass": "",
    "print('own')": "own\n",
    "os.write(1, b'own\\n')": "own\n",
    "os.close(1)": "",
    "os.closerange(0, 3)": "",
    "sys.stdout.close()": "",
    "print('own'); sys.stdout.close(); sys.stderr.close()": "own\n",
    "sys.stdout = sys.stderr = None": "",
    "sys.stdout.detach()": "",
    "sys.stdout = sys.stderr = open(os.devnull, 'w')": "",
    "os.dup2(os.open(os.devnull, os.O_RDWR), 1)": "",
    "os.close(1); open('takes_the_number', 'w')": "",
}


@pytest.mark.parametrize("code", CODE)
def test_what_the_readers_code_does_to_the_streams(tmp_path: Path, code: str) -> None:
    (tmp_path / "own.py").write_text(SCRIPT.format(code=code))
    done = shell(f"{sys.executable} own.py", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{CODE[code]}explained\n", "said\n")


def test_a_closed_stream_is_no_other_file(tmp_path: Path) -> None:
    """The next file that is opened would get its number, and all that C++ prints."""
    (tmp_path / "own.py").write_text(SCRIPT.format(code="assert open('log', 'w').fileno() > 2; os.write(1, b'lost')"))
    done = shell(f"{sys.executable} own.py <&- >&-", tmp_path)
    assert (done.returncode, done.stderr) == (1, f"{LOST}Bad file descriptor\n")
    assert (tmp_path / "log").read_text() == ""
