"""Signals to a process that has started another one reach that one once. Ctrl-Z in a terminal stops both."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

#: What a user, a terminal, a scheduler or a supervisor may send.
NUMBERS = [
    signal.SIGHUP,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGQUIT,
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGWINCH,
    signal.SIGCONT,
    signal.SIGTSTP,
]
#: Comes last: Python calls the handlers of signals that wait in the order of their numbers.
LAST = signal.SIGRTMIN

#: A program that writes down each signal that it gets, and ends with status 5 by the last one, whose handler is slow.
PROGRAM = f"""
import pathlib, signal, sys, time
folder = pathlib.Path({{folder!r}})

def hear(number, frame):
    with open(folder / "heard", "a") as file:
        file.write(f"{{{{number}}}}\\n")

def save(number, frame):
    (folder / "saving").touch()
    while not (folder / "go").exists():
        time.sleep(0.01)
    (folder / "checkpoint").write_text("whole")
    sys.exit(5)

for number in {[int(number) for number in NUMBERS]}:
    signal.signal(number, hear)
signal.signal({int(LAST)}, save)
(folder / "ready").touch()
while True:
    time.sleep(0.01)
"""

#: Commands that run a program in a process of its own, or in a fork.
DIAGNOSE = "import sys; from compile_lessons.__main__ import main; sys.argv[:] = ['', 'diagnose', {file!r}]; main()"
EXPLAIN = """
import runpy, typer
from compile_lessons.commands.supervise import supervised
from compile_lessons.ground.streams import run_command
app = typer.Typer()
app.command()(supervised(lambda: runpy.run_path({file!r})))
run_command(app, "command")
"""


def until(fact: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while not fact():
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()
        time.sleep(0.01)


def start(command: str, folder: Path) -> subprocess.Popen[str]:
    """Start a command with the program, in a group of its own, without a terminal. It hears each signal."""
    (folder / "tmp").mkdir()
    file = folder / "program.py"
    file.write_text(PROGRAM.format(folder=str(folder)))

    def hear() -> None:  # whatever this process has inherited
        for number in NUMBERS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())

    process = subprocess.Popen(
        [sys.executable, "-c", command.format(file=str(file))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
        start_new_session=True,
        preexec_fn=hear,
    )
    until((folder / "ready").exists, process)
    return process


@pytest.mark.parametrize("send", [os.kill, os.killpg])
@pytest.mark.parametrize("command", [DIAGNOSE, EXPLAIN])
def test_each_signal_reaches_the_program_once(command: str, send: Callable[[int, int], None], tmp_path: Path) -> None:
    process = start(command, tmp_path)
    heard = tmp_path / "heard"
    for count, number in enumerate(NUMBERS, 1):
        send(process.pid, number)
        until(lambda: heard.exists() and len(heard.read_text().split()) >= count, process)  # noqa: B023
    send(process.pid, LAST)
    until((tmp_path / "saving").exists, process)
    (tmp_path / "go").touch()
    errors = process.communicate(timeout=120)[1]
    assert heard.read_text().split() == [str(int(number)) for number in NUMBERS]
    assert (tmp_path / "checkpoint").read_text() == "whole"
    assert process.returncode == 5, errors
    if command == DIAGNOSE:
        assert "no process imported torch where diagnose could see it" in errors
        assert "stopped by Ctrl-C" in errors
        assert not list((tmp_path / "tmp").iterdir())


def test_a_signal_that_ends_the_program_has_the_shells_status_and_a_report(tmp_path: Path) -> None:
    """A terminal is closed: the program has no handler, and nobody takes the report's folder away but ``diagnose``."""
    program = f"touch {tmp_path}/ready; sleep 600"
    process = start(DIAGNOSE.replace("{file!r}", f"'sh', '-c', {program!r}"), tmp_path)
    os.killpg(process.pid, signal.SIGHUP)
    errors = process.communicate(timeout=120)[1]
    assert process.returncode == 128 + signal.SIGHUP
    assert "stopped by SIGHUP" in errors
    assert not list((tmp_path / "tmp").iterdir())


def test_signals_wait_while_a_report_is_made() -> None:
    code = (
        "import os, signal\n"
        "from compile_lessons.ground.signals import holding_signals\n"
        "with holding_signals(signal.SIGINT):\n"
        "    for number in signal.SIGHUP, signal.SIGTERM, signal.SIGUSR1: os.kill(os.getpid(), number)\n"
        "print('reported', flush=True)\n"
        "with holding_signals(signal.SIGINT):\n"
        "    try: os.kill(os.getpid(), signal.SIGINT)\n"
        "    except KeyboardInterrupt: print('interrupted')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "reported\ninterrupted\n", "")


TAKEN_BY_ANOTHER_THREAD = """
import signal
from compile_lessons.ground.signals import holding_signals

seen = iter([{signal.SIGUSR2}, set()])
signal.sigpending = lambda: next(seen)  # the signal is gone when it is looked for
with holding_signals():
    pass
print("through")
"""


@pytest.mark.skipif(not hasattr(signal, "sigtimedwait"), reason="macOS can only wait for a signal")
def test_a_signal_that_another_thread_takes_is_not_waited_for() -> None:
    command = [sys.executable, "-c", TAKEN_BY_ANOTHER_THREAD]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "through\n", done.stderr


@pytest.mark.skipif(not shutil.which("bash"), reason="a shell stops and continues jobs")
def test_a_terminal_stops_and_continues_the_program_with_the_command(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("print('be' 'gun', flush=True)\nwhile True: print('read', input().upper(), flush=True)\n")
    shell = pexpect.spawn("bash", ["--norc", "--noprofile", "-i"], encoding="utf-8", timeout=120, echo=False)
    shell.sendline(f"PS1=; {sys.executable} -m compile_lessons diagnose {file}")
    shell.expect("begun")
    shell.sendline("once")
    shell.expect("read ONCE")
    shell.sendcontrol("z")
    shell.expect("Stopped")
    shell.sendline("fg")
    shell.expect("compile_lessons diagnose")
    shell.sendline("twice")
    shell.expect("read TWICE")
    shell.sendcontrol("\\")
    shell.expect("no process imported torch")
    shell.sendline("echo status $?")
    shell.expect(f"status {128 + signal.SIGQUIT}")
    shell.close(force=True)
