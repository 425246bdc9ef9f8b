"""Run the user's command as it is, with the collector and ``TORCH_TRACE``, until it ends or is asked to end."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

from compile_lessons.ground.processes import family, start_program
from compile_lessons.ground.signals import SignalRelay

COLLECTOR = Path(__file__).parent / "collector"
#: How long a program that was asked to end may take, before it is asked again, in seconds.
PATIENCE = 10.0
#: The signals by which somebody asks a program to end, as the report names them.
_ASKS = {"SIGINT": "Ctrl-C", "SIGTERM": "SIGTERM", "SIGHUP": "SIGHUP"}


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
        if not Path(words[0]).exists():
            raise CannotStart(f"{words[0]} can't be started: there is no such file")
        return [_python(), *words]
    return list(words)


def _python() -> str:
    """Return the Python of the environment that is activated; it may lack this package, as where ``uvx`` runs this."""
    folder = os.environ.get("VIRTUAL_ENV")
    if not folder or Path(folder).resolve() == Path(sys.prefix).resolve():
        return sys.executable
    python = Path(folder, "Scripts", "python.exe") if os.name == "nt" else Path(folder, "bin", "python")
    return str(python) if python.exists() else sys.executable


def run_program(
    command: Sequence[str],
    folder: Path,
    seconds: float | None = None,
    steps: int | None = None,
    extra: Mapping[str, str] | None = None,
) -> Ended:
    """Run ``command``; what it does with torch is in ``folder`` afterwards.

    Its input, output and arguments are its own. Signals are for the program, not for this process.
    """
    began = time.monotonic()
    try:
        env = environment(folder, steps, extra)
    except OSError as error:
        message = f"no temporary folder for the collector: {error.strerror}"
        raise CannotStart(f"{message}\n  Fix: set TMPDIR to a folder with room") from error
    with SignalRelay() as relay:
        try:
            child = start_program(command, env=env)
        except OSError as error:
            raise CannotStart(f"{command[0]} can't be started: {error.strerror}") from error
        stopped = _wait(child, relay, folder, seconds, steps, began)
    stopped = stopped or next((words for name, words in _ASKS.items() if _was_heard(name, relay)), "")
    status = child.returncode if child.returncode >= 0 else 128 - child.returncode
    return Ended(status=status, seconds=time.monotonic() - began, stopped=stopped)


def environment(folder: Path, steps: int | None = None, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment with the collector in front."""
    changed = dict(os.environ)
    before = changed.get("PYTHONPATH")
    changed["PYTHONPATH"] = os.pathsep.join([_hook(), before]) if before else _hook()
    if not changed.get("TORCH_TRACE") and changed.get("TORCH_COMPILE_DEBUG") != "1":
        changed["TORCH_TRACE"] = str(folder)  # else torch has a folder of the user's, and the collector adds this one
    changed["COMPILE_LESSONS_COLLECT"] = str(folder)
    changed["COMPILE_LESSONS_COLLECTOR"] = str(COLLECTOR)
    if steps:
        changed["COMPILE_LESSONS_STEPS"] = str(steps)
    return changed | dict(extra or {})


@cache
def _hook() -> str:
    """Return a folder with the collector's sitecustomize alone: an old Python writes bytecode beside it."""
    folder = tempfile.mkdtemp(prefix="compile-lessons-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copy(COLLECTOR / "sitecustomize.py", folder)
    return folder


def _wait(
    child: subprocess.Popen[bytes],
    relay: SignalRelay,
    folder: Path,
    seconds: float | None,
    steps: int | None,
    began: float,
) -> str:
    """Wait until the program ends; ask it to end when a limit is reached. Return the limit.

    What the program has started is asked too, as by Ctrl-C in a terminal: a launcher may not pass a signal on.
    """
    stopped, asked = "", 0.0
    started: list[psutil.Process] = []
    signals = iter((signal.SIGINT, signal.SIGTERM, signal.SIGKILL))
    while child.poll() is None or any(map(_is_alive, started)):
        relay.look(child.pid if child.returncode is None else None)
        now = time.monotonic()
        if not stopped and seconds is not None and now - began >= seconds:
            stopped = f"--seconds {seconds:g}"
        if not stopped and steps and (folder / "stop").exists():
            stopped = f"--steps {steps}"
        if stopped and now - asked >= PATIENCE:
            started = started or family(child.pid)[1:]
            number = next(signals, signal.SIGKILL)
            for process in started:
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(number)
            child.send_signal(number)
            asked = now
    return stopped


def _was_heard(name: str, relay: SignalRelay) -> bool:
    """Return whether a signal came that the program doesn't ignore from its beginning, as under ``nohup``."""
    number = getattr(signal, name, None)  # Windows lacks some
    return number in relay.seen and signal.getsignal(number) != signal.SIG_IGN


def _is_alive(process: psutil.Process) -> bool:
    """Return whether a process that the program has started still runs."""
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE  # of which nobody asks the status
    return False
