"""Labs: exercises that check themselves by what the compiler does."""

import importlib
from typing import TYPE_CHECKING, Any

from compile_lessons.labs.wrong import Wrong, require

if TYPE_CHECKING:  # also what records.sources follows from "from compile_lessons.labs import check"
    from compile_lessons.labs.examiner import check
    from compile_lessons.labs.work import Work

__all__ = ["Work", "Wrong", "check", "require"]

_MODULES = {"Work": "work", "check": "examiner"}


def __getattr__(name: str) -> Any:
    """Import on first use: a stub needs ``check`` and no torch, checks need ``Work``."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"compile_lessons.labs.{_MODULES[name]}"), name)
