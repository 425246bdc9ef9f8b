"""A report on a run: what ``report_of`` computes once, as plain data that text, HTML and JSON draw.

``json.FIELDS`` says what the fields mean that JSON has. A report that was read from JSON has no others.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from compile_lessons.facts.frames import Break
from compile_lessons.facts.pipeline import Pipeline
from compile_lessons.facts.run import Compile, ProfiledWork
from compile_lessons.facts.source import Location
from compile_lessons.findings.compared import SpeedComparison
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.guards import FailedGuard

#: What time goes into; the last one is outside of calls of compiled functions.
PARTS = ("compiling", "compiled code", "eager mode", "other")


@dataclass(frozen=True, kw_only=True)
class Seconds:
    """Where the time of a run went, in the process that waited longest for compiles. ``None`` was not seen."""

    total: float
    compiling: float | None = None
    again: float | None = None
    compiled: float | None = None
    eager: float | None = None
    tracing: float | None = None
    #: Compiles of Triton kernels that the program launches, in this process.
    kernels: float | None = None


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Numbers of all processes, which ``--fail-if`` compares. ``None`` was not seen, or not in all processes."""

    findings: int | None = None
    compiles: int | None = None
    recompiles: int | None = None
    breaks: int | None = None
    limits: int | None = None
    eager_calls: int | None = None
    calls: int | None = None
    compile_seconds: float | None = None
    late_compiles: int | None = None
    kernel_compiles: int | None = None
    kernel_compiles_after_warmup: int | None = None
    exceptions: int | None = None


@dataclass(frozen=True, kw_only=True)
class ProfiledCalls:
    """What ran in a few calls of a compiled function."""

    function: str | None
    first: int
    last: int
    seconds: float
    device: str | None
    busy: float | None
    work: tuple[ProfiledWork, ...]
    rates: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Piece:
    """A piece of time, and what it went into: the seconds of each of ``PARTS``."""

    start: float
    end: float
    parts: tuple[float, ...]

    @property
    def seconds(self) -> float:
        return self.end - self.start

    @property
    def shares(self) -> list[float]:
        return [part / self.seconds if self.seconds else 0.0 for part in self.parts]


@dataclass(frozen=True, kw_only=True)
class TimelinePhase:
    """Calls that follow each other and are alike; ``first`` is 0 for what is before the first or after the last."""

    title: str
    first: int
    last: int
    piece: Piece
    #: Whether a call in it compiled after the program had begun its steady work.
    late: bool = False

    @property
    def a_call(self) -> float | None:
        return self.piece.seconds / (self.last - self.first + 1) if self.first else None


@dataclass(frozen=True, kw_only=True)
class ProcessReport:
    """One process. Its ``timeline`` has pieces of one length, from its start to its end."""

    pid: int
    rank: int | None
    start: float = 0.0
    end: float = 0.0
    compiling: float = 0.0
    compiles: int = 0
    recompiles: int = 0
    #: ``None`` was not seen.
    breaks: int | None = 0
    calls: int | None = 0
    eager_calls: int | None = 0
    #: Whether it used torch.compile, and whether it waited longest for compiles.
    compiled: bool = False
    main: bool = False
    timeline: tuple[Piece, ...] = ()
    #: The compiled function that is called most often, and when its calls began.
    steps: str = ""
    step_starts: tuple[float, ...] = ()
    #: When calls began that compiled after the program had begun its steady work.
    late_starts: tuple[float, ...] = ()

    @property
    def name(self) -> str:
        return f"process {self.pid}" if self.rank is None else f"rank {self.rank}"


@dataclass(frozen=True, kw_only=True)
class Version:
    """One compile of a function, with its graph breaks, and the line that uses torch.compile for it."""

    compile: Compile
    breaks: tuple[Break, ...]
    use: Location | None = None
    #: The guard that failed of each version before it, the newest first, and the one that explains this version.
    guards: tuple[FailedGuard, ...]
    because: FailedGuard | None
    numbers: dict[str, str]
    #: What torch wrote down of it, if the version opens in an explorer.
    pipeline: Pipeline | None = None

    @property
    def is_recompile(self) -> bool:
        """Whether it was compiled because the guards of the versions before it failed."""
        return self.compile.outcome == "compiled" and bool(self.guards)

    @property
    def has_graph(self) -> bool:
        """Whether torch wrote down its graph."""
        return any(listing.stage == "dynamo" for listing in self.compile.listings)


@dataclass(frozen=True, kw_only=True)
class CompiledFunction:
    """A function with its versions."""

    name: str
    code: Location
    versions: tuple[Version, ...]

    @property
    def opened(self) -> list[Version]:
        """The versions that open in an explorer."""
        return [version for version in self.versions if version.pipeline]

    @property
    def seconds(self) -> float:
        return sum(version.compile.seconds for version in self.versions if not version.compile.nested)

    @property
    def breaks(self) -> int:
        """The number of graph breaks. One that several versions have counts once."""
        return distinct(found for version in self.versions for found in version.breaks)


@dataclass(frozen=True)
class Looked:
    """What was looked at, and how many there were; ``None`` if this run does not show it."""

    what: str
    number: int | None


@dataclass(frozen=True)
class Between:
    """A line that ran while no compiled function did, since the last compile, and its share of that time."""

    line: Location
    share: float


def distinct(breaks: Iterable[Break]) -> int:
    """Return the number of graph breaks that differ in their type or line."""
    return len({(found.gb_type, found.stack[-1:]) for found in breaks})


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything that is said of a run."""

    schema: Literal[1] = 1
    findings: tuple[Finding, ...]
    command: tuple[str, ...]
    status: int | None
    stopped: str
    seconds: Seconds
    counts: Counts
    comparison: SpeedComparison | None = None
    profile: ProfiledCalls | None = None
    torch: str | None
    processes: tuple[ProcessReport, ...]
    missing: tuple[str, ...]
    #: Kinds of records, and fields of records, that this version doesn't know, and how many records have them.
    unknown: tuple[tuple[str, int], ...] = ()
    #: Records and files that could not be written or read, and how many.
    lost: tuple[tuple[str, int], ...] = ()
    #: Kernels with the values of their autotuner's key, and what ``triton.autotune`` chose for them.
    tuned: tuple[tuple[str, str], ...] = ()
    looked_at: tuple[Looked, ...] = ()
    #: Of the main thread of the main process.
    between: tuple[Between, ...] = ()
    #: What this run can't tell, each with the command that can.
    not_told: tuple[str, ...] = ()

    # What JSON does not have.
    #: Whether lines of the program are in the report.
    source: bool = True
    #: Whether the program ran with the collector, and the processes that used torch without it.
    collected: bool = True
    unseen: tuple[int, ...] = ()
    #: Why there is no comparison or no profile, if one was asked for.
    not_compared: str = ""
    not_profiled: str = ""
    #: Versions of all processes that were compiled because guards failed.
    recompiles: tuple[Version, ...] = ()
    #: Of the main process.
    phases: tuple[TimelinePhase, ...] = ()
    #: Of the main process, those that took longest first.
    functions: tuple[CompiledFunction, ...] = ()
    #: All versions of torch in the run.
    torches: tuple[str, ...] = ()

    @property
    def main(self) -> ProcessReport | None:
        """The process that waited longest for compiles."""
        return next((process for process in self.processes if process.main), None)
