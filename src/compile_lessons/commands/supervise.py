"""Run a command on the reader's code in a process of its own, so that nothing in that code ends it without a word.

``os._exit``, ``abort()`` and a crash in C++ end a process before Python can say anything. On Linux the command is a
fork of this process, which waits for it, passes on signals, and says how it ended. On other systems only ``os._exit``
is noticed; of a crash Python prints the stack.
"""

import faulthandler
import functools
import linecache
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

import typer

from compile_lessons.commands.loading import ProgramOver
from compile_lessons.ground.printing import say
from compile_lessons.ground.processes import BLOCKED, adopt_orphans, end_descendants, fork
from compile_lessons.ground.signals import SignalRelay
from compile_lessons.ground.streams import flushing, is_command
from compile_lessons.runs.ending import Place, SharedNotes, cause, place_in, watch_exit

#: Somebody asks for an end by these: the command ends by them too, and need not say so.
_ASKED = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP, signal.SIGQUIT] if hasattr(signal, "SIGHUP") else []))
_FORKS = sys.platform == "linux"
_exit_now = os._exit  # the reader's code may call it, and is watched


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


#: Where the process of a command that is a fork notes its status.
_noted: list[SharedNotes] = []


def end_program(work: Callable[[], None]) -> NoReturn:
    """Do the last work of a command in the middle of the reader's program, in any thread, and end the program there.

    Nothing else of the program runs, such as ``finally``. In a process that isn't the command's own, this only raises.
    """
    status: Any = 0
    try:
        with flushing():
            work()
    except typer.Exit as error:
        status = error.exit_code
    except SystemExit as error:
        status = error.code
    except BaseException:  # a fault of this package
        say(traceback.format_exc(), error=True)
        status = 1
    if is_command():
        for notes in _noted:
            notes.write({"status": status})
        _exit_now(status)
    is_main = threading.current_thread() is threading.main_thread()
    raise (ProgramOver if is_main else SystemExit)(status)  # a thread ends without a word by the latter


def _in_a_fork(command: Callable[[], None]) -> None:
    notes = SharedNotes()
    stack = tempfile.TemporaryFile("w+")  # noqa: SIM115 (open until the process ends)
    adopt_orphans()
    relay = SignalRelay()
    pid = fork()
    if pid == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, BLOCKED)
        faulthandler.enable(stack)
        watch_exit(notes.exit)
        _noted.append(notes)
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
    with relay:
        code = _wait(pid, relay)
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


def _wait(pid: int, relay: SignalRelay) -> int:
    """Return the status of a child once it ends."""
    while True:
        relay.look(pid)
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)


def _end_by(number: int) -> NoReturn:
    signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
    raise AssertionError(f"signal {number} has not ended this process")


def _say(what: str, place: Place | None) -> None:
    """Say what ended the process, and where."""
    message = f"{what} ended the process before it was explained"
    if place:
        message += f"\n  at {place[0]}:{place[1]}: {linecache.getline(*place).strip()}"
    if what.startswith("os._exit"):
        message += "\n  Fix: call sys.exit() there, or leave it out while you explain"
    say(f"error: {message}", error=True)
