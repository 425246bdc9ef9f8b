"""A line of source: whose file it is in, the user's, a library's, torch's or Python's, and what it says.

This is the one place that opens the source files that facts name. A trace that somebody else sends may name any file of
this machine: within ``only_below``, only files below the folders that the user names are read. The text of other lines
is what the trace itself says.
"""

import linecache
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from compile_lessons.facts.part import Part
from compile_lessons.ground.reading import open_regular


@dataclass(frozen=True, kw_only=True)
class Location(Part):
    """A line of source. ``text`` is the line itself, stripped; empty if the file can't be read."""

    file: str
    line: int
    function: str = ""
    text: str = ""


_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
#: Folders of installed packages: ``/venv/lib/python3.12/site-packages/``.
_PACKAGES = re.compile(r"[/\\](?:site|dist)-packages[/\\](?P<package>\w*)")
_TORCH = re.compile(r"[/\\](?:site|dist)-packages[/\\](?:torch|functorch|triton)[/\\]")
#: Torch's own optimizers and schedulers, in a path or in a text that quotes it.
TORCH_OPTIM = re.compile(r"[/\\]torch[/\\]optim[/\\]")
#: Python's own modules: ``/usr/lib/python3.12/threading.py``.
_STANDARD = re.compile(r"[/\\]lib[/\\]python3\.\d+[/\\](?!(?:site|dist)-packages[/\\])", re.IGNORECASE)
#: Python files that Inductor writes, in any folder: ``/ab/cab… .py``, a hash in a folder named after its beginning.
_GENERATED = re.compile(r"[/\\](?P<start>\w\w)[/\\]c(?P=start)[a-z2-7]{49}\.py$")
#: Names that Python gives to code that somebody typed.
_TYPED = ("<ipython-input-", "<stdin>")
#: A line of a stack as text: ``File "/work/train.py", line 8, in forward``, and below it the line itself.
STACK_LINE = re.compile(
    r'File "(?P<file>[^"]*)", line (?P<line>\d{1,9}), in (?P<function>\S+)(?:\n +(?!File ")(?P<text>.+))?'
)
#: The name that Dynamo gives to what follows a break: ``torch_dynamo_resume_in_step_at_12``.
_RESUMED = re.compile(r"(?:torch_dynamo_resume_in_)+(.+?)(?:_at_\d+)*_at_(\d+)$")
_own_package: ContextVar[str] = ContextVar("_own_package", default="")


@contextmanager
def as_users(package: str) -> Iterator[None]:
    """Within it, the files of an installed package are the user's: who tests a library wrote it."""
    token = _own_package.set(package)
    try:
        yield
    finally:
        _own_package.reset(token)


def is_user_file(file: str) -> bool:
    """Return whether the user wrote the file, as far as its folder tells."""
    return is_not_torch(file) and not package_of(file)


def is_not_torch(file: str) -> bool:
    """Return whether the file is the user's or an installed library's, as far as its folder tells.

    Torch's code, Python's own, this package's and code generated at run time (``<string>``, Inductor's) are not.
    """
    if file.startswith("<"):
        return file.startswith(_TYPED)
    return not (is_own_file(file) or any(rule.search(file) for rule in (_TORCH, _STANDARD, _GENERATED)))


def is_generated(file: str) -> bool:
    """Return whether Inductor wrote the file."""
    return _GENERATED.search(file) is not None


def package_of(file: str) -> str:
    """Return the installed package that a file is in; empty for any other file, and for one of the user's package."""
    match = _PACKAGES.search(file)
    return match["package"] if match and match["package"] != _own_package.get() else ""


def is_own_file(file: str) -> bool:
    """Return whether a file is one of this package."""
    return file.startswith(_OURS)


def location(file: str, line: int, function: str = "", told: str = "") -> Location:
    """Return a line with its text: as its file has it, or as somebody has ``told`` it."""
    return Location(file=file, line=line, function=function, text=source_line(file, line, told))


def stack_in(text: str) -> Iterator[Location]:
    """Yield the lines of a stack that is part of a text of torch's."""
    return (location(m["file"], int(m["line"]), m["function"], m["text"] or "") for m in STACK_LINE.finditer(text))


def resumed(function: str) -> tuple[str, int] | None:
    """Return the function that Dynamo divided at a break, and the line, if ``function`` is what follows the break."""
    match = _RESUMED.match(function)
    return (match[1], int(match[2])) if match else None


def undivided(function: str) -> str:
    """Return the name of a function as the user wrote it, also for what follows a break in the function."""
    return found[0] if (found := resumed(function)) else function


def innermost(stack: Iterable[Location]) -> Location | None:
    """Return the user's line in a stack, given outermost first; a library's line if no line is the user's."""
    frames = [frame for frame in stack if is_not_torch(frame.file)]
    users = [frame for frame in frames if is_user_file(frame.file)]
    found = users or frames
    return found[-1] if found else None


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
