"""From torch's stacks and tracebacks to the user's line."""

from __future__ import annotations

import os
import re
import sysconfig
import traceback
from collections.abc import Iterable
from types import TracebackType

import torch

from compile_lessons.facts import Location
from compile_lessons.facts.places import location

_OWN = os.path.dirname(os.path.dirname(__file__)) + os.sep
_LIBRARIES = (os.path.dirname(torch.__file__) + os.sep, _OWN)
_STANDARD = sysconfig.get_path("stdlib") + os.sep
_PACKAGES = (sysconfig.get_path("purelib") + os.sep, sysconfig.get_path("platlib") + os.sep)
#: Names that Python gives to code that somebody typed.
_TYPED = ("<ipython-input-", "<stdin>")
#: Python files that Inductor writes, in any folder: ``/ab/cab… .py``, a hash in a folder named after its beginning.
_GENERATED = re.compile(r"[/\\](?P<start>\w\w)[/\\]c(?P=start)[a-z2-7]{49}\.py$")
#: A frame of a traceback as text: ``File "file.py", line 3, in forward``.
_FRAME = re.compile(r'File "(?P<file>[^"]*)", line (?P<line>\d+), in (?P<function>\S+)')


def is_user_file(file: str) -> bool:
    """Return whether a file is the user's or a library's that the user installed.

    Torch's code, Python's own, this package's and code generated at run time (``<string>``, Inductor's) are not.
    """
    if file.startswith("<"):
        return file.startswith(_TYPED)
    if file.startswith(_STANDARD):
        return file.startswith(_PACKAGES) and not file.startswith(_LIBRARIES)
    return not file.startswith(_LIBRARIES) and not _GENERATED.search(file)


def is_own_file(file: str) -> bool:
    """Return whether a file is one of this package."""
    return file.startswith(_OWN)


def innermost(frames: Iterable[Location]) -> Location | None:
    """Return the innermost user frame, or the innermost frame of any code if there is no user frame."""
    frames = list(frames)
    users = [frame for frame in frames if is_user_file(frame.file)]
    return users[-1] if users else (frames[-1] if frames else None)


def from_stack_trace(text: str | None) -> Location | None:
    """Return the user's line in a node's ``stack_trace``, which is text in the form of a Python traceback."""
    if not text:
        return None
    return innermost(location(m["file"], int(m["line"]), m["function"]) for m in _FRAME.finditer(text))


def from_summary(stack: Iterable[traceback.FrameSummary] | None) -> tuple[Location, ...]:
    """Return the locations of a stack, outermost first."""
    return tuple(location(frame.filename, frame.lineno or 0, frame.name) for frame in stack or ())


def user_frames(stack: Iterable[traceback.FrameSummary] | None) -> tuple[Location, ...]:
    """Return the user's frames of a stack, outermost first."""
    return tuple(frame for frame in from_summary(stack) if is_user_file(frame.file))


def from_traceback(tb: TracebackType | None) -> Location | None:
    """Return the innermost user frame of an exception; ``None`` if it has none."""
    users = user_frames(traceback.extract_tb(tb))
    return users[-1] if users else None
