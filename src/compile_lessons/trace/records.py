"""Decode records, of the collector and of torch's trace, into types; count what the types don't know and what is lost.

Nothing in a record is trusted: a file may be damaged, or come from somebody else.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from compile_lessons.facts import run as facts
from compile_lessons.facts.source import Location, location
from compile_lessons.ground.reading import bounded_lines, open_regular, read_json
from compile_lessons.ground.words import shorten

T = TypeVar("T")

#: Bytes of a file of records, and of one line of it without its payload, that are read.
LARGEST, LONGEST = 2**33, 2**23
#: Microseconds since the epoch are below this. A larger number is none, and neither is an infinite one.
_LARGEST_NUMBER = 1e20
#: Names that are counted, and characters of one.
_NAMES, _WIDTH = 1000, 120

#: Names of the fields that a type leaves out on purpose: none, where the type has no ``UNREAD``.
_NOTHING = re.compile("(?!)")


@dataclass
class Unread:
    """What a reader did not take from records."""

    #: Kinds of records, and fields, that this version doesn't know, and how many records have them.
    unknown: Counter[str] = field(default_factory=Counter)
    #: Records and files that could not be read.
    lost: Counter[str] = field(default_factory=Counter)

    def add_unknown(self, name: str) -> None:
        _add(self.unknown, name)

    def add_lost(self, name: str) -> None:
        _add(self.lost, name)


def _add(names: Counter[str], name: str) -> None:
    """Count a name; in a file that has thousands of them, together."""
    name = shorten(name, _WIDTH)
    names[name if name in names or len(names) < _NAMES else "others"] += 1


def decode(kind: str, data: Any, type: type[T], unread: Unread, files: Mapping[int, str] | None = None) -> T | None:
    """Return a record as its type; ``None`` if it has another shape. Count that, and each field that no type has."""
    try:
        tidy = _tidy(data, files)
        record = msgspec.convert(tidy, type)
    except (ValueError, RecursionError) as error:
        unread.add_lost(f"{kind}: {error}")
        return None
    for name in _unknown_fields(kind, tidy, record):
        unread.add_unknown(name)
    return record


def convert(data: Any, type: type[T]) -> T:
    """Return what the JSON of a payload has as a type. Raises ``ValueError``."""
    try:
        return msgspec.convert(_tidy(data, None), type)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _tidy(value: Any, files: Mapping[int, str] | None) -> Any:
    """Put a location in place of each line: a ``[file, number, function]`` of the collector, and a line of a stack in
    the trace, which has numbers for ``files``. Put ``None`` in place of what is no number."""
    if isinstance(value, dict):
        line = files is not None and _line_of_stack(value, files)
        return line or {name: _tidy(item, files) for name, item in value.items()}
    if isinstance(value, list):
        is_line = [*map(type, value)] == [str, int, str]
        return location(*value) if is_line else [_tidy(item, files) for item in value]
    if isinstance(value, int | float) and not -_LARGEST_NUMBER < value < _LARGEST_NUMBER:
        return None
    return value


def _line_of_stack(value: dict[str, Any], files: Mapping[int, str]) -> Location | None:
    match value:
        case {"filename": int(file), "line": int() | None as line, "name": str(function)}:
            told = value.get("loc")
            return location(files.get(file, ""), line or 0, function, told if isinstance(told, str) else "")
    return None


def _unknown_fields(path: str, data: Any, record: Any) -> Iterator[str]:
    """Yield the fields that only the data has, not the record that it became."""
    if isinstance(data, dict) and not isinstance(record, dict):
        for name, value in data.items():
            if hasattr(record, name):
                yield from _unknown_fields(f"{path}.{name}", value, getattr(record, name))
            elif not getattr(record, "UNREAD", _NOTHING).fullmatch(name):
                yield f"{path}.{name}"
    elif isinstance(data, list):
        for value, item in zip(data, record, strict=True):
            yield from _unknown_fields(path, value, item)


class About(msgspec.Struct, frozen=True):
    """The process."""

    pid: int
    parent: int
    argv: tuple[str, ...]
    rank: int | None = None
    #: The lines that led to the fork of this process, the innermost first.
    forked_at: tuple[Location, ...] = ()


class Torch(msgspec.Struct, frozen=True):
    version: str
    #: Hooks that this torch lacks.
    missing: tuple[str, ...]


class Triton(msgspec.Struct, frozen=True):
    version: str
    #: Hooks that this Triton lacks.
    missing: tuple[str, ...]


class Converted(msgspec.Struct, frozen=True):
    """One time that Dynamo looked at a frame."""

    #: The thread's number.
    who: int
    compile: facts.Compile
    #: The region, file and function of the lookup that no version fit.
    key: tuple[int | None, str, str] | None = None
    #: Lines that are in the graph several times; ``None`` if there is no graph, or this torch has none to watch.
    repeated: tuple[facts.Repeated, ...] | None = None


class CallTotals(msgspec.Struct, frozen=True):
    """Totals of one thread, for each region whose totals changed."""

    who: int
    #: Region, calls, seconds, seconds of compiles, and calls and seconds in eager mode.
    regions: tuple[tuple[int, int, float, float, int, float], ...]
    #: Region, file and function of lookups that no version fit, and their number.
    missed: tuple[tuple[int | None, str, str, int], ...]
    #: Region, calls whose first guards fit, and the seconds until then.
    lookups: tuple[tuple[int | None, int, float], ...] = ()
    peak: int | None = None
    gpu_peak: int | None = None


class ModuleSamples(msgspec.Struct, frozen=True):
    """How often modules, and backward passes, ran when the collector looked; the lines that called modules most."""

    total: Annotated[int, msgspec.Meta(gt=0)]
    backward: int
    lines: tuple[tuple[Location, int], ...]


class Printed(msgspec.Struct, frozen=True):
    text: str


class BetweenCalls(msgspec.Struct, frozen=True):
    """How often the collector looked since the last compile, and the lines in which it saw no compiled function run."""

    looked: Annotated[int, msgspec.Meta(gt=0)]
    lines: tuple[tuple[Location, int], ...]


class Generated(msgspec.Struct, frozen=True):
    """A kernel that Inductor generated."""

    kernel: str
    bytes: int
    flop: int
    lines: tuple[Location, ...]


class Profiled(msgspec.Struct, frozen=True):
    profile: facts.Profile
    #: The file that torch's profiler wrote, in the folder of the records.
    file: str = ""


class Trains(msgspec.Struct, frozen=True):
    """The process has run a backward pass."""


class Error(msgspec.Struct, frozen=True):
    where: str
    message: str


class ProcessEnd(msgspec.Struct, frozen=True):
    """The process ended in the usual way."""


class LaunchArguments(msgspec.Struct, frozen=True):
    """What connects a kernel with the call that launched it."""

    correlation: int | str | None = None
    #: The operator that the launch is part of, and of an operator its inputs, if they are noted.
    external: int | str | None = msgspec.field(name="External id", default=None)
    sizes: tuple[Any, ...] = msgspec.field(name="Input Dims", default=())
    types: tuple[Any, ...] = msgspec.field(name="Input type", default=())


class Event(msgspec.Struct, frozen=True):
    """An event of a timeline in Chrome's form. Times are microseconds."""

    ph: str = ""
    name: str = ""
    cat: str = ""
    tid: int | str | None = None
    ts: float = 0.0
    dur: float = 0.0
    args: LaunchArguments = LaunchArguments()

    @property
    def end(self) -> float:
        return self.ts + self.dur


#: The type of each kind of record of the collector, which are the facts themselves where a record is one.
_KINDS: dict[str, type] = {
    "process": About,
    "torch": Torch,
    "triton": Triton,
    "region": facts.Region,
    "convert": Converted,
    "interval": facts.Interval,
    "export": facts.Export,
    "kernel": facts.KernelCompile,
    "search": facts.KernelSearch,
    "reset": facts.Reset,
    "names": facts.IgnoredNames,
    "hook": facts.AddedHook,
    "copy": facts.CopiedCode,
    "unchecked": facts.UncheckedDistribution,
    "calls": CallTotals,
    "raised": facts.Raised,
    "trains": Trains,
    "printed": Printed,
    "values": facts.Samples,
    "samples": ModuleSamples,
    "between": BetweenCalls,
    "generated": Generated,
    "profile": Profiled,
    "log": facts.Message,
    "error": Error,
    "end": ProcessEnd,
}


@dataclass
class Collected:
    """The records of one process, each with its time."""

    records: list[tuple[float, Any]] = field(default_factory=list)
    unread: Unread = field(default_factory=Unread)

    def add(self, line: bytes) -> bool:
        """Add the record in a line. Return whether it is one."""
        try:
            match read_json(line):
                case {"t": int() | float() as time, "e": str(kind), **data} if abs(time) < _LARGEST_NUMBER:
                    pass
                case _:
                    return False
        except ValueError:
            return False
        if kind not in _KINDS:
            self.unread.add_unknown(kind)
        elif (record := decode(kind, data, _KINDS[kind], self.unread)) is not None:
            self.records.append((time, record))
        return True

    def of(self, kind: type[T]) -> list[T]:
        return [record for _, record in self.records if isinstance(record, kind)]


def read_collected(path: Path) -> Collected:
    """Read a file of the collector's."""
    collected = Collected()
    lost = collected.unread.add_lost
    try:
        with open_regular(path, LARGEST) as file:
            for line, whole in bounded_lines(file, LONGEST):
                if not whole:
                    lost(f"a record of the collector that is longer than {LONGEST:,} bytes")
                elif not collected.add(line) and line.endswith(b"\n"):  # else the program was killed while it wrote it
                    lost("damaged record of the collector")
    except OSError as error:
        lost(f"{path.name}: {error.strerror}")
    return collected
