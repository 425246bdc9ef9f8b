"""Run a command on the reader's code in a process of its own, so that nothing in that code ends it without a word.

``os._exit``, ``abort()`` and a crash in C++ end a process before Python can say anything. On Linux the command is a
fork of this process, which waits for it, passes on signals, and says how it ended. On other systems only ``os._exit``
is noticed; of a crash Python prints the stack.
"""

from __future__ import annotations

import faulthandler
import functools
import json
import linecache
import mmap
import os
import re
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable
from typing import IO, Any, NoReturn

import typer

from compile_lessons.commands.loading import is_own
from compile_lessons.ground.processes import adopt_orphans, end_descendants, fork
from compile_lessons.ground.streams import is_command

#: Somebody asks for an end by these: the command ends by them too, and need not say so.
_ASKED = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP, signal.SIGQUIT] if hasattr(signal, "SIGHUP") else []))
_NOTES_SIZE = 2**14
_FORKS = sys.platform == "linux"

Place = tuple[str, int]


def supervised(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command, ending with status 1 and a message where the reader's code ends the process."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        if not is_command():
            command(*args, **kwargs)
        elif _FORKS:
            _in_a_fork(functools.partial(command, *args, **kwargs))
        else:
            faulthandler.enable()
            watch_exit(_say, status=1)
            command(*args, **kwargs)

    return run


class SharedNotes:
    """What the two processes share: memory, which the reader's code can't close as it can a pipe."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _NOTES_SIZE)

    def write(self, note: dict[str, Any]) -> None:
        data = json.dumps(note).encode()
        self._memory[: len(data) + 1] = data + b"\0"

    def exit(self, what: str, place: Place | None) -> None:
        """Note a call that ends the process, unless the command has come to its end."""
        if "status" not in self.read():
            self.write({"exit": (what, place)})

    def read(self) -> dict[str, Any]:
        written = self._memory[:].partition(b"\0")[0]
        return json.loads(written) if written else {}


def _in_a_fork(command: Callable[[], None]) -> None:
    notes = SharedNotes()
    stack = tempfile.TemporaryFile("w+")  # noqa: SIM115 (open until the process ends)
    adopt_orphans()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {*_ASKED, signal.SIGCHLD})
    pid = fork()
    if pid == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        faulthandler.enable(stack)
        watch_exit(notes.exit)
        status = None
        try:
            command()
            status = 0
        except typer.Exit as error:
            status = error.exit_code
            raise
        finally:
            notes.write({"status": status})
        return
    code = _wait(pid)
    note = notes.read()
    if -code in _ASKED and note.get("status") is None:
        end_descendants()
        _end_by(-code)
    if "status" in note:  # it came to its end; what is after it, such as the end of torch's threads, is no matter
        raise typer.Exit(note["status"] if note["status"] is not None else max(code, 1))
    end_descendants()
    stack.seek(0)
    _say(*(note["exit"] if "exit" in note else (cause(code), place_in(stack))))
    raise typer.Exit(1)


def _wait(pid: int) -> int:
    """Return the status of a child once it ends. Signals of other processes are passed on; the terminal's reach it."""
    while True:
        received = signal.sigwaitinfo({*_ASKED, signal.SIGCHLD})
        if received.si_signo != signal.SIGCHLD:
            if received.si_code <= 0:  # SI_USER and other processes; the kernel's are above
                os.kill(pid, received.si_signo)
            continue
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)


def _end_by(number: int) -> NoReturn:
    signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
    raise AssertionError(f"signal {number} has not ended this process")


def watch_exit(note: Callable[[str, Place | None], None], status: int | None = None) -> None:
    """Have ``os._exit`` in this process, but not in a fork of it, first ``note`` the call and its place. The process
    then ends with ``status``, if that is given."""
    process, exit_now = os.getpid(), os._exit

    @functools.wraps(exit_now)
    def _exit(given: int) -> NoReturn:
        if os.getpid() == process:
            frames = [(frame.filename, frame.lineno or 0) for frame in reversed(traceback.extract_stack())]
            note(f"os._exit({given})", _own(frames))
            given = given if status is None else status
        exit_now(given)

    _exit._torchdynamo_disable = True  # type: ignore[attr-defined]  # else Dynamo warns of what is in here
    os._exit = _exit  # type: ignore[assignment]


def _say(what: str, place: Place | None) -> None:
    """Say what ended the process, and where."""
    message = f"{what} ended the process before it was explained"
    if place:
        message += f"\n  at {place[0]}:{place[1]}: {linecache.getline(*place).strip()}"
    if what.startswith("os._exit"):
        message += '\n  Fix: call sys.exit() there, or put it under `if __name__ == "__main__":`'
    typer.echo(f"error: {message}", err=True)


def cause(code: int) -> str:
    """Return what ended a process, by the status that it ended with."""
    if code >= 0:
        return f"code outside Python (status {code})"
    hint = " (the system may have run out of memory)" if -code == signal.SIGKILL else ""
    return signal.Signals(-code).name + hint


def place_in(stack: IO[str]) -> Place | None:
    """Return the innermost line of the reader's in a stack that faulthandler has written."""
    # 'Current thread 0x00007f (most recent call first):\n  File "a.py", line 3 in f\n  File …\n\nExtension modules: …'
    current = stack.read().partition("Current thread")[2].partition("\n\n")[0]
    return _own((file, int(line)) for file, line in re.findall(r'File "(.+)", line (\d+)', current))


def _own(frames: Iterable[Place]) -> Place | None:
    return next((frame for frame in frames if not frame[0].startswith("<") and is_own(frame[0])), None)
