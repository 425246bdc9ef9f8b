"""A program that ends in the middle is said so, with its line, and never counts as explained."""

import signal
import subprocess
import sys
from pathlib import Path

import pexpect
import psutil
import pytest

#: A command that runs code of the reader's, here the lines after ``try``, and prints what it has found.
SCRIPT = """
import atexit, ctypes, os, signal, sys, time, typer
from compile_lessons.commands.supervise import supervised
from compile_lessons.ground.streams import run_command
app = typer.Typer()
@app.command()
@supervised
def command():
    try:
        {code}
    finally:
        print("explained", flush=True)
run_command(app, "command")
"""
LINE = 10

#: Code, what ended the process, and whether the line is known.
ENDS = {
    "os._exit(0)": ("os._exit(0)", True),
    "os._exit(7)": ("os._exit(7)", True),
    "os.abort()": ("SIGABRT", True),
    "ctypes.string_at(0)": ("SIGSEGV", True),
    "ctypes.CDLL(None)._exit(0)": ("code outside Python (status 0)", False),
    "os.kill(os.getpid(), signal.SIGKILL)": ("SIGKILL (the system may have run out of memory)", False),
    "os.closerange(0, 99); os.abort()": ("SIGABRT", False),  # the file for its stack is closed too
}


def run(folder: Path, code: str, before: str = "") -> subprocess.CompletedProcess[str]:
    file = folder / "own.py"
    file.write_text(before + SCRIPT.format(code=code))
    return subprocess.run([sys.executable, file], capture_output=True, text=True)


@pytest.mark.parametrize("code", ENDS)
def test_a_program_that_ends_in_the_middle(tmp_path: Path, code: str) -> None:
    cause, line = ENDS[code]
    done = run(tmp_path, code)
    assert (done.returncode, done.stdout) == (1, "")
    expected = f"error: {cause} ended the process before it was explained\n"
    assert expected in done.stderr
    assert (f"{expected}  at {tmp_path}/own.py:{LINE}: {code}\n" in done.stderr) == line


#: Code that lets the command come to its end, and the status of that.
FINE = {
    "pass": 0,
    "raise typer.Exit(2)": 2,
    "raise ValueError": 1,
    "atexit.register(ctypes.string_at, 0)": 0,
    "atexit.register(os._exit, 5)": 0,
    "atexit.register(os._exit, 0); raise typer.Exit(1)": 1,
    "assert os.fork() or os._exit(3)": 0,
}


@pytest.mark.parametrize("code", FINE)
def test_what_was_explained_has_its_status_however_the_process_ends_then(tmp_path: Path, code: str) -> None:
    done = run(tmp_path, code)
    assert (done.returncode, done.stdout) == (FINE[code], "explained\n"), done.stderr
    assert "ended the process" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_end_that_was_asked_for_needs_no_word(tmp_path: Path, number: signal.Signals) -> None:
    """A signal that another process sends is passed on; Python turns Ctrl-C into an exception, which ends a command."""
    code = "print('begun', flush=True)\n        while True: time.sleep(0.1)"
    (tmp_path / "own.py").write_text(SCRIPT.format(code=code))

    def hear() -> None:  # whatever this process inherited, or another test has left
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})

    command = [sys.executable, tmp_path / "own.py"]
    process = subprocess.Popen(command, stdout=-1, stderr=-1, text=True, preexec_fn=hear)
    assert process.stdout and process.stdout.readline() == "begun\n"
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    if number == signal.SIGINT:
        assert output == "explained\n" and "ended the process" not in errors
    else:
        assert (output, errors) == ("", "")
    assert process.returncode == (130 if number == signal.SIGINT else -number)


def test_ctrl_c_in_a_terminal_arrives_once(tmp_path: Path) -> None:
    """It reaches both processes by itself."""
    code = "print('begun', flush=True)\n        while True: time.sleep(0.1)\n"
    code += "    except KeyboardInterrupt: print('caught'); time.sleep(1)"
    (tmp_path / "own.py").write_text(SCRIPT.format(code=code))
    terminal = pexpect.spawn(sys.executable, [str(tmp_path / "own.py")], encoding="utf-8", timeout=60)
    terminal.expect("begun")
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.before.split() == ["^Ccaught", "explained"] and terminal.exitstatus == 0


def test_what_the_program_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    done = run(tmp_path, "import subprocess; print(subprocess.Popen(['sleep', '300']).pid, flush=True); os.abort()")
    assert not psutil.pid_exists(int(done.stdout))


def test_where_the_command_is_no_fork(tmp_path: Path) -> None:
    done = run(
        tmp_path, "os._exit(0)", before="from compile_lessons.commands import supervise; supervise._FORKS = False"
    )
    assert done.returncode == 1
    assert f"os._exit(0) ended the process before it was explained\n  at {tmp_path}/own.py:{LINE}: os" in done.stderr


FILE = """
import os
{top}
import torch

def exits(x):
    os._exit(0)

def make_inputs():
    return (torch.ones(3),)
"""


@pytest.mark.parametrize(("top", "line"), [("", 7), ("os._exit(0)", 3)])
def test_explain_does_not_end_with_status_0(tmp_path: Path, top: str, line: int) -> None:
    """In the function: the eager run before it has ended in the same way, in its own process."""
    (tmp_path / "mine.py").write_text(FILE.format(top=top))
    command = [sys.executable, "-m", "compile_lessons", "explain", "mine.py:exits"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    place = f"at {tmp_path}/mine.py:{line}: os._exit(0)"
    fix = "Fix: call sys.exit() there, or leave it out while you explain"
    assert done.stderr == f"error: os._exit(0) ended the process before it was explained\n  {place}\n  {fix}\n"
