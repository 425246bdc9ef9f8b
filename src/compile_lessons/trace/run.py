"""Run the user's command as it is, with the collector and ``TORCH_TRACE``, until it ends or is asked to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from compile_lessons.ground.processes import start_program

COLLECTOR = Path(__file__).parent / "collector"
#: How long a program that was asked to end may take, before it is asked again, in seconds.
PATIENCE = 10.0
#: How often is looked whether the program has ended or is to be asked to end, in seconds.
_POLL = 0.05


class CannotStart(Exception):
    """The command can't be started. The message is for the user."""


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a program ended."""

    #: As a shell shows it: 128 and the signal's number if a signal ended it.
    status: int
    seconds: float
    #: Why it was asked to end, or empty.
    stopped: str


def command_of(words: Sequence[str]) -> list[str]:
    """Return the command to start. ``train.py --lr 1`` is short for ``python train.py --lr 1``."""
    if words[0].endswith(".py"):
        return [sys.executable, *words]
    return list(words)


def run_program(
    command: Sequence[str],
    folder: Path,
    seconds: float | None = None,
    steps: int | None = None,
    extra: Mapping[str, str] | None = None,
) -> Ended:
    """Run ``command``; what it does with torch is in ``folder`` afterwards.

    Its input, output and arguments are its own. Ctrl-C ends the program, not this process.
    """
    began = time.monotonic()
    try:
        child = start_program(command, env=environment(folder, steps, extra))
    except OSError as error:
        raise CannotStart(f"{command[0]} can't be started: {error.strerror}") from error
    with _passing_signals(child) as seen:
        stopped = _wait(child, folder, seconds, steps, began)
    if not stopped and signal.SIGINT in seen:
        stopped = "Ctrl-C"
    status = child.returncode if child.returncode >= 0 else 128 - child.returncode
    return Ended(status=status, seconds=time.monotonic() - began, stopped=stopped)


def environment(folder: Path, steps: int | None = None, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment with the collector in front."""
    changed = dict(os.environ)
    before = changed.get("PYTHONPATH")
    changed["PYTHONPATH"] = os.pathsep.join([str(COLLECTOR), before]) if before else str(COLLECTOR)
    changed["TORCH_TRACE"] = str(folder)
    changed["COMPILE_LESSONS_COLLECT"] = str(folder)
    if steps:
        changed["COMPILE_LESSONS_STEPS"] = str(steps)
    return changed | dict(extra or {})


def _wait(child: subprocess.Popen[bytes], folder: Path, seconds: float | None, steps: int | None, began: float) -> str:
    """Wait until the program ends; ask it to end when a limit is reached. Return the limit.

    What the program has started is asked too, as by Ctrl-C in a terminal: a launcher may not pass a signal on.
    """
    stopped, asked = "", 0.0
    started: list[psutil.Process] = []
    signals = iter((signal.SIGINT, signal.SIGTERM, signal.SIGKILL))
    while _runs(child) or any(map(_is_alive, started)):
        now = time.monotonic()
        if not stopped and seconds is not None and now - began >= seconds:
            stopped = f"--seconds {seconds:g}"
        if not stopped and steps and (folder / "stop").exists():
            stopped = f"--steps {steps}"
        if stopped and now - asked >= PATIENCE:
            started = started or _started_by(child)
            number = next(signals, signal.SIGKILL)
            for process in started:
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(number)
            child.send_signal(number)
            asked = now
    return stopped


def _runs(child: subprocess.Popen[bytes]) -> bool:
    """Return whether the program still runs after a moment."""
    try:
        child.wait(_POLL)
    except subprocess.TimeoutExpired:
        return True
    return False


def _started_by(child: subprocess.Popen[bytes]) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(child.pid).children(recursive=True)
    return []


def _is_alive(process: psutil.Process) -> bool:
    """Return whether a process that the program has started still runs after a moment."""
    try:
        process.wait(_POLL)
        return False
    except psutil.TimeoutExpired:
        with suppress(psutil.NoSuchProcess):
            return process.status() != psutil.STATUS_ZOMBIE  # of which nobody asks the status
        return False


@contextmanager
def _passing_signals(child: subprocess.Popen[bytes]) -> Iterator[list[int]]:
    """Within it, a signal to this process goes to the program. Ctrl-C in a terminal reaches both by itself."""
    seen: list[int] = []

    def handler(number: int, frame: object) -> None:
        seen.append(number)
        if number != signal.SIGINT or not _in_terminal():
            child.send_signal(number)

    before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield seen
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _in_terminal() -> bool:
    """Return whether this process is in the terminal's foreground, so that Ctrl-C reaches the program too."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False
