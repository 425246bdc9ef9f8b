"""Facts of runs that tests write down: each test names what matters to it, and the rest is as usual."""

from typing import Any

from compile_lessons.facts.run import Compile, Span
from compile_lessons.facts.source import Location

FORWARD = Location(file="/work/train.py", line=4, function="forward")
CALL = Location(file="/work/train.py", line=9, function="<module>")


def compiled(number: int = 0, **about: Any) -> Compile:
    """Return version ``number`` of a function, which takes a second to compile."""
    usual: dict[str, Any] = {
        "id": f"0/{number}",
        "frame": 0,
        "number": number,
        "code": FORWARD,
        "name": "forward",
        "outcome": "compiled",
        "start": float(number),
        "seconds": 1.0,
        "region": 1,
        "stack": (CALL,),
    }
    return Compile(**usual | about)


def span(
    since: float, end: float, calls: int = 1, seconds: float = 0.0, compiling: float = 0.0, eager: float = 0.0
) -> Span:
    """Return calls of one region that follow each other, which take ``seconds`` of the time."""
    return Span(region=1, since=since, end=end, calls=calls, seconds=seconds, compiling=compiling, eager=eager)
