"""From torch's stacks and tracebacks to the user's line."""

import functools
import os
import sysconfig
import traceback
from collections.abc import Iterable
from types import TracebackType

import torch

from compile_lessons.facts import Location
from compile_lessons.facts.source import is_not_torch, location, stack_in

_TORCH = os.path.dirname(torch.__file__) + os.sep
_STANDARD = sysconfig.get_path("stdlib") + os.sep
_PACKAGES = (sysconfig.get_path("purelib") + os.sep, sysconfig.get_path("platlib") + os.sep)


@functools.lru_cache(maxsize=4096)
def is_outside_torch(file: str) -> bool:
    """Return ``is_not_torch`` of a file of this process, which knows where torch and Python are installed."""
    if file.startswith(_TORCH) or (file.startswith(_STANDARD) and not file.startswith(_PACKAGES)):
        return False
    return is_not_torch(file)


def origin(frames: Iterable[Location]) -> Location | None:
    """Return the innermost frame outside of torch, or the innermost frame of torch's code if there is no other."""
    frames = list(frames)
    outside = [frame for frame in frames if is_outside_torch(frame.file)]
    return outside[-1] if outside else (frames[-1] if frames else None)


def from_stack_trace(text: str | None) -> Location | None:
    """Return the user's line in a node's ``stack_trace``, which is text in the form of a Python traceback."""
    if not text:
        return None
    return origin(stack_in(text))


def from_summary(stack: Iterable[traceback.FrameSummary] | None) -> tuple[Location, ...]:
    """Return the locations of a stack, outermost first."""
    return tuple(location(frame.filename, frame.lineno or 0, frame.name) for frame in stack or ())


def user_frames(stack: Iterable[traceback.FrameSummary] | None) -> tuple[Location, ...]:
    """Return the frames of a stack outside of torch, outermost first."""
    return tuple(frame for frame in from_summary(stack) if is_outside_torch(frame.file))


def from_traceback(tb: TracebackType | None) -> Location | None:
    """Return the innermost user frame of an exception; ``None`` if it has none."""
    users = user_frames(traceback.extract_tb(tb))
    return users[-1] if users else None
