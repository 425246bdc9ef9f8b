"""From torch's stacks and tracebacks to the user's line."""

from __future__ import annotations

import linecache
import os
import re
import sysconfig
import traceback
from collections.abc import Iterable
from types import TracebackType

import torch

from compile_lessons.pipeline.model import Location

_LIBRARIES = (os.path.dirname(torch.__file__) + os.sep, os.path.dirname(os.path.dirname(__file__)) + os.sep)
_STANDARD = sysconfig.get_path("stdlib") + os.sep
_PACKAGES = (sysconfig.get_path("purelib") + os.sep, sysconfig.get_path("platlib") + os.sep)
#: Files that are not on disk and yet hold what somebody typed.
_TYPED = ("<ipython-input-", "<stdin>")
#: Python files that Inductor writes: a hash, in a folder named by its beginning. Its cache may be in any folder.
_GENERATED = re.compile(r"[/\\](?P<start>\w\w)[/\\]c(?P=start)[a-z2-7]{49}\.py$")
_FRAME = re.compile(r'File "(?P<file>[^"]*)", line (?P<line>\d+), in (?P<function>\S+)')


def is_user_file(file: str) -> bool:
    """Neither torch's code, Python's own nor this package's, nor code made at run time (``<string>``, Inductor's)."""
    if file.startswith("<"):
        return file.startswith(_TYPED)
    if file.startswith(_STANDARD):
        return file.startswith(_PACKAGES) and not file.startswith(_LIBRARIES)
    return not file.startswith(_LIBRARIES) and not _GENERATED.search(file)


def location(file: str, line: int, function: str = "") -> Location:
    return Location(file, line, function, linecache.getline(file, line).strip())


def innermost(frames: Iterable[Location]) -> Location | None:
    """The innermost frame of the user's, or of any code if none is."""
    frames = list(frames)
    users = [frame for frame in frames if is_user_file(frame.file)]
    return users[-1] if users else (frames[-1] if frames else None)


def from_stack_trace(text: str | None) -> Location | None:
    """The user's line in a node's ``stack_trace``, which is text in the form of a Python traceback."""
    if not text:
        return None
    return innermost(location(m["file"], int(m["line"]), m["function"]) for m in _FRAME.finditer(text))


def from_summary(stack: Iterable[traceback.FrameSummary] | None) -> tuple[Location, ...]:
    return tuple(location(frame.filename, frame.lineno or 0, frame.name) for frame in stack or ())


def from_traceback(tb: TracebackType | None) -> Location | None:
    """The innermost user frame of an exception; ``None`` if it has none."""
    users = [frame for frame in from_summary(traceback.extract_tb(tb)) if is_user_file(frame.file)]
    return users[-1] if users else None
