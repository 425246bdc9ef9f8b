"""The streams of a command: each may lose its reader, by a pipe that is closed, a full disk, or a closed descriptor.

A command then ends with status 1 and a message; what can't be said on standard error is dropped.
"""

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, TextIO

from compile_lessons.ground.printing import say


class LostReader(OSError):
    """Standard output can't be written."""


class _Stream(io.TextIOWrapper):
    """Standard output, which raises ``LostReader``, or standard error, which drops what it can't write.

    What is still in its buffer then goes nowhere, also at the end of the process.
    """

    def write(self, text: str) -> int:
        with self._losing():
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with self._losing():
            super().flush()

    @contextmanager
    def _losing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            number = self.fileno()
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, number)
            os.close(nowhere)
            if number == 1:
                raise LostReader(error.errno, error.strerror) from None


class _Closed(io.RawIOBase):
    """A stream that was closed before the command began. It says so once, to whoever writes first."""

    def __init__(self, number: int) -> None:
        self._number, self._told = number, False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._number

    def write(self, data: Any) -> int:
        if self._told:
            return len(data)
        self._told = True
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


_commands: list[str] = []


def is_command() -> bool:
    """Return whether this process is a command line's own, and not one that calls the function of a command."""
    return bool(_commands)


def run_command(app: Callable[..., Any], name: str) -> None:
    """Run a command line, and end this process with its status."""
    _commands.append(name)
    closed = _fill_closed()
    sys.stdout = _stream(sys.stdout, 1, 1 in closed)
    sys.stderr = _stream(sys.stderr, 2, 2 in closed)
    try:
        with flushing():
            app(prog_name=name)
    finally:
        _commands.remove(name)


@contextmanager
def flushing() -> Iterator[None]:
    """At the end flush both streams. Where standard output has lost its reader, end with a message and status 1."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
    except LostReader as error:
        if error.errno != errno.EPIPE:  # who closes a pipe has seen enough
            say(f"error: standard output can't be written: {error.strerror}", error=True)
        sys.exit(1)


def _fill_closed() -> set[int]:
    """Open nothing in place of the descriptors of streams that are closed: the next file would get their numbers."""
    closed = set()
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
            closed.add(number)
    return closed


def _stream(old: TextIO | None, number: int, closed: bool = False) -> _Stream:
    """Return a stream like the one that Python has made."""
    raw: Any = io.BufferedWriter(_Closed(number)) if closed else open(number, "wb", closefd=False)  # noqa: SIM115
    by_line = bool(old and old.line_buffering) or number == 2
    return _Stream(
        raw,
        encoding=old.encoding if old else "utf-8",
        errors=old.errors if old else "backslashreplace",
        line_buffering=by_line,
    )


@contextmanager
def keep_streams() -> Iterator[None]:
    """Afterwards both streams are as before, whatever code of the reader's has done to them or their descriptors."""
    streams, copies = (sys.stdout, sys.stderr), {number: os.dup(number) for number in (1, 2)}
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr, *streams):
            with suppress(ValueError, OSError, AttributeError):  # closed, or anything that the reader has put there
                stream.flush()
        for number, copy in copies.items():
            os.dup2(copy, number)
            os.close(copy)
        sys.stdout, sys.stderr = (
            stream if _is_open(stream) else _stream(None, number) for number, stream in enumerate(streams, 1)
        )


def _is_open(stream: TextIO) -> bool:
    try:
        return not stream.closed
    except ValueError:  # its buffer was detached
        return False


def take_output() -> BinaryIO:
    """Return standard output for this command alone, until the process ends. Raises ``LostReader`` if it is closed.

    What the reader's code writes to standard output then goes to standard error, also from C or from a child process.
    """
    sys.stdout.flush()
    if isinstance(getattr(sys.stdout.buffer, "raw", None), _Closed):
        raise LostReader(errno.EBADF, os.strerror(errno.EBADF))
    output = open(os.dup(1), "wb")  # noqa: SIM115
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return output


def write_to(output: BinaryIO, data: bytes) -> None:
    """Write to what ``take_output`` has returned, and close it. Raises ``LostReader``."""
    try:
        with output:
            output.write(data)
    except OSError as error:
        raise LostReader(error.errno, error.strerror) from None
