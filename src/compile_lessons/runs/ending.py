"""How a process with a reader's program ends: what it notes itself, and what its status and its last stack say."""

import functools
import json
import mmap
import os
import re
import signal
import traceback
from collections.abc import Callable, Iterable
from typing import IO, Any, NoReturn

from compile_lessons.facts.source import is_user_file

_NOTES_SIZE = 2**14

Place = tuple[str, int]


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
    return next((frame for frame in frames if is_user_file(frame[0])), None)
