"""A function called several times: what compiled, what recompiled, and why."""

from dataclasses import dataclass
from typing import Literal

from compile_lessons.facts.comparison import EagerComparison, StageFailure
from compile_lessons.facts.part import Part
from compile_lessons.facts.pipeline import Circumstance
from compile_lessons.facts.source import Location

#: What happened in one call of a compiled function. In an ``eager`` call no compiled code ran.
CallOutcome = Literal["compile", "recompile", "hit", "eager", "error"]


@dataclass(frozen=True, kw_only=True)
class CacheEntry(Part):
    """The number of compiled versions of one function after a call."""

    function: str
    file: str
    line: int
    entries: int


@dataclass(frozen=True, kw_only=True)
class Call(Part):
    """One call of a list of calls.

    ``failed`` are the guards that failed, in torch's words, and ``failed_at`` the user's lines that they are from, null
    where torch gives none. ``compiles`` is the number of frames compiled, and ``recompiles`` the number of those that
    had been compiled before. ``skipped`` is the reason why no compiled code ran, if torch gives one. ``comparison`` is
    made only with ``capture_calls(fn, compare=True)``.
    """

    index: int
    arguments: str
    outcome: CallOutcome
    failed: tuple[str, ...]
    failed_at: tuple[Location | None, ...]
    compiles: int
    recompiles: int
    entries: tuple[CacheEntry, ...]
    skipped: str
    error: StageFailure | None
    comparison: EagerComparison | None


@dataclass(frozen=True, kw_only=True)
class Calls(Part):
    """A function called several times. ``circumstances`` are those of ``Pipeline``."""

    function: str
    calls: tuple[Call, ...]
    circumstances: tuple[Circumstance, ...] = ()

    @property
    def recompiles(self) -> int:
        """Frames that were compiled again: a frame's first compile is not counted."""
        return sum(call.recompiles for call in self.calls)
