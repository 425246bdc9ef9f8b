"""Whose file is it: the user's, a library's, torch's or Python's?"""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Iterable

from compile_lessons.facts.source import Location

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
#: Folders of installed packages: ``/venv/lib/python3.12/site-packages/``.
_PACKAGES = re.compile(r"[/\\](?:site|dist)-packages[/\\]")
_TORCH = re.compile(r"[/\\](?:site|dist)-packages[/\\](?:torch|functorch|triton)[/\\]")
#: Torch's own optimizers and schedulers, in a path or in a text that quotes it.
TORCH_OPTIM = re.compile(r"[/\\]torch[/\\]optim[/\\]")
#: Python's own modules: ``/usr/lib/python3.12/threading.py``.
_STANDARD = re.compile(r"[/\\]lib[/\\]python3\.\d+[/\\](?!(?:site|dist)-packages[/\\])", re.IGNORECASE)
#: Python files that Inductor writes, in any folder: ``/ab/cab… .py``, a hash in a folder named after its beginning.
_GENERATED = re.compile(r"[/\\](?P<start>\w\w)[/\\]c(?P=start)[a-z2-7]{49}\.py$")
#: Names that Python gives to code that somebody typed.
_TYPED = ("<ipython-input-", "<stdin>")


def is_user_file(file: str) -> bool:
    """Return whether the user wrote the file, as far as its folder tells."""
    return is_not_torch(file) and not _PACKAGES.search(file)


def is_not_torch(file: str) -> bool:
    """Return whether the file is the user's or an installed library's, as far as its folder tells.

    Torch's code, Python's own, this package's and code generated at run time (``<string>``, Inductor's) are not.
    """
    if file.startswith("<"):
        return file.startswith(_TYPED)
    return not (is_own_file(file) or any(rule.search(file) for rule in (_TORCH, _STANDARD, _GENERATED)))


def is_own_file(file: str) -> bool:
    """Return whether a file is one of this package."""
    return file.startswith(_OURS)


def location(file: str, line: int, function: str = "") -> Location:
    return Location(file=file, line=line, function=function, text=linecache.getline(file, line).strip())


def innermost(stack: Iterable[Location]) -> Location | None:
    """Return the user's line in a stack, given outermost first; a library's line if no line is the user's."""
    frames = [frame for frame in stack if is_not_torch(frame.file)]
    users = [frame for frame in frames if is_user_file(frame.file)]
    found = users or frames
    return found[-1] if found else None
