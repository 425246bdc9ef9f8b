"""How a program compiles and calls what was explained."""

from __future__ import annotations

from dataclasses import dataclass

from compile_lessons.facts.part import Part
from compile_lessons.facts.source import Location


@dataclass(frozen=True, kw_only=True)
class Circumstance(Part):
    """One thing about how the program compiles or calls what was explained: options, a context, a thread, a setting.

    ``kept`` says whether the explained call did the same. Where it is false, the program may do something else than
    what was explained.
    """

    what: str
    location: Location | None
    kept: bool = True
