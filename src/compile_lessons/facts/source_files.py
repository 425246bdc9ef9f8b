"""Lines of the source files that facts name. This is the one place that opens such files.

A trace that somebody else sends may name any file of this machine: within ``only_below``, only files below the folders
that the user names are read. The text of other lines is what the trace itself says.
"""

import linecache
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from compile_lessons.ground.reading import open_regular

#: Bytes of a file of source.
_LARGEST = 20_000_000


@dataclass
class _Limits:
    """The folders whose files may be read, and the text of lines that a trace has told."""

    folders: tuple[str, ...]
    told: dict[tuple[str, int], str] = field(default_factory=dict)
    allowed: dict[str, bool] = field(default_factory=dict)


_limits: ContextVar[_Limits | None] = ContextVar("_limits", default=None)


@contextmanager
def only_below(folders: Sequence[Path]) -> Iterator[None]:
    """Within it, files of source are read below these folders only."""
    token = _limits.set(_Limits(tuple(map(os.path.realpath, folders))))
    try:
        yield
    finally:
        _limits.reset(token)


def source_lines(file: str) -> list[str]:
    """Return the lines of a file with their ends; none of a file that can't, or must not, be read."""
    limits = _limits.get()
    if limits is None:
        return linecache.getlines(file) if file in linecache.cache or _is_readable(file) else []
    if file not in limits.allowed:
        limits.allowed[file] = _is_below(file, limits.folders) and _is_readable(file)
    return linecache.getlines(os.path.realpath(file)) if limits.allowed[file] else []


def source_line(file: str, number: int, told: str = "") -> str:
    """Return a line without spaces around it, as its file has it, or else as a trace tells it."""
    lines = source_lines(file)
    if 0 < number <= len(lines):
        return lines[number - 1].strip()
    limits = _limits.get()
    if limits is None:
        return told.strip()
    if told:
        limits.told[file, number] = told.strip()
    return limits.told.get((file, number), "")


def _is_readable(file: str) -> bool:
    """Return whether a file is regular and no giant. What is no file, ``linecache`` may know."""
    try:
        open_regular(file, _LARGEST).close()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _is_below(file: str, folders: Sequence[str]) -> bool:
    try:
        path = os.path.realpath(file)
        return any(os.path.commonpath((path, folder)) == folder for folder in folders)
    except ValueError:  # a null character, or another drive
        return False
