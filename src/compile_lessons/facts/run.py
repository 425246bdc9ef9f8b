"""Facts about one run of a program: its processes, what they compiled, why, and what ran in eager mode.

A number that the run did not show is ``None``. ``trace.read`` makes these facts, ``findings`` judges them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compile_lessons.facts.places import is_user_file
from compile_lessons.facts.source import Location


@dataclass(frozen=True, kw_only=True)
class Region:
    """One use of ``torch.compile``, ``module.compile()`` or the decorator, with all of its calls in one process."""

    id: int
    function: str
    #: The class, if it is a module.
    module: str | None = None
    #: Where the function is defined.
    code: Location | None = None
    #: The user's lines that led to the use of torch.compile, the innermost first.
    stack: tuple[Location, ...] = ()
    backend: str = ""
    dynamic: bool | None = None
    fullgraph: bool | None = None
    #: ``recompile_limit`` of this use, if it has one, and torch's setting in the thread that used torch.compile.
    own_limit: int | None = None
    limit: int | None = None
    thread: str = ""
    #: ``module.compile()``.
    in_place: bool = False
    #: torch.compile was turned off, by ``disable=True`` or an environment variable.
    disabled: bool = False
    calls: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0
    #: Calls, and their seconds, in which a frame ran in eager mode because no compiled version fit.
    eager_calls: int = 0
    eager_seconds: float = 0.0
    #: Calls whose first guards were checked and fit, and their seconds until then, as the calls ran.
    guarded_calls: int = 0
    guard_seconds: float = 0.0

    @property
    def name(self) -> str:
        """``Encoder.forward``, ``step``."""
        last = self.function.rpartition(".")[2]
        return f"{self.module}.{last}" if self.module else self.function.rpartition("<locals>.")[2]


@dataclass(frozen=True, kw_only=True)
class Span:
    """Calls of one region in one thread, between two notes of the collector."""

    region: int
    #: The time of the note before and of this one, in seconds since the epoch.
    since: float
    end: float
    calls: int
    #: How long they ran, and the parts of it that were compiles, and that ran in eager mode after the limit.
    seconds: float
    compiling: float
    eager: float

    @property
    def start(self) -> float:
        """When the first of the calls began: exact for one call, else not before the last note."""
        return self.end - self.seconds if self.calls == 1 else max(self.since, self.end - 2 * self.seconds)


@dataclass(frozen=True)
class Work:
    """What ran in a profile under one name: an operator on the CPU, or a kernel on the device."""

    name: str
    calls: int
    #: Without what it called.
    seconds: float
    #: Whether compiled code ran it.
    compiled: bool


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A few calls of a region in its steady state, in torch's profiler."""

    #: Why there is none; empty if there is one.
    why: str = ""
    region: int | None = None
    #: The first call, and how many there are.
    first: int = 0
    steps: int = 0
    seconds: float = 0.0
    #: The device's name, and how long at least one kernel ran on it; ``None`` on the CPU.
    device: str | None = None
    busy: float | None = None
    #: How long no kernel ran and the host was in code of torch, which launches them.
    launching: float | None = None
    #: The most seconds first: kernels of the device, or operators on the CPU.
    work: tuple[Work, ...] = ()

    @property
    def last(self) -> int:
        return self.first + self.steps - 1


@dataclass(frozen=True)
class Listing:
    """A text that torch wrote down of a compile: a graph, its guards, or generated code."""

    title: str
    #: Pygments' name of its language; empty for none.
    lexer: str
    text: str


@dataclass(frozen=True)
class FailedCheck:
    """A guard that failed, in torch's words, and the value in the call that failed."""

    text: str
    new: str | None = None


@dataclass(frozen=True)
class Matmul:
    """A matrix multiplication, attention or convolution in a graph, with the type of its result."""

    #: As torch abbreviates it: ``f32``, ``bf16``.
    dtype: str
    #: ``cuda``, ``cpu``.
    device: str
    #: The user's line; ``None`` if the graph has none, as for a module of torch.
    line: Location | None


@dataclass(frozen=True)
class Repeated:
    """A line that is in one graph several times, because Dynamo unrolls loops and inlines calls."""

    line: Location
    copies: int
    #: Operations of all copies, with those of functions that the line calls. ``None`` in a trace alone, which knows the
    #: innermost line of each operation and no caller.
    operations: int | None = None


@dataclass(frozen=True, kw_only=True)
class Memory:
    """Bytes of a process, or of a GPU in a process: of a compile, those before and after it."""

    before: int
    after: int


#: The reason of a compile that was under way when the program was killed.
ENDED = "Ended"


@dataclass(frozen=True, kw_only=True)
class Compile:
    """One time that Dynamo looked at a frame."""

    #: torch's id, ``"2/3"``: the fourth compile of frame 2. Empty if the frame was skipped before it got one. Where
    #: ids begin again, after ``torch._dynamo.reset()``, the trace's second one is ``"2/3#2"``.
    id: str
    frame: int | None
    number: int
    code: Location
    #: With its class: ``Adam.step``.
    name: str
    #: ``compiled``, ``skipped``, ``limit`` (it stays in eager mode from now on), or ``failed`` (an exception).
    outcome: str
    #: When it began, in seconds since the epoch, and how long the program waited for it.
    start: float
    seconds: float
    #: Compiled while another compile was running; its seconds are part of the other's.
    nested: bool = False
    #: Why there is no compiled code.
    reason: str | None = None
    region: int | None = None
    #: The number of the region's call.
    call: int | None = None
    thread: str = ""
    main_thread: bool = True
    #: The user's lines that called the frame, the innermost first.
    stack: tuple[Location, ...] = ()
    #: For each version that there was, the newest first, the guard that failed, as torch writes it.
    guards: tuple[FailedCheck, ...] = ()
    #: ``recompile_limit`` and ``accumulated_recompile_limit`` in this thread.
    limits: tuple[int | None, int | None] = (None, None)
    #: It yields, which Dynamo can't compile.
    generator: bool = False
    #: Seconds of the compile of its backward pass, when that runs first.
    backward_seconds: float = 0.0
    #: Seconds of each stage, without those of that compile; a stage may contain others.
    stages: dict[str, float] = field(default_factory=dict)
    #: Inductor's cache: ``hit``, ``miss`` or ``bypass`` of each graph.
    caches: tuple[str, ...] = ()
    #: Operations in the graph.
    operations: int | None = None
    #: Sizes that became constants, ``x.size()[0]``, and the lines that led there, outermost first.
    constants: tuple[tuple[str, tuple[Location, ...]], ...] = ()
    #: Lines that are in the graph several times, as those of a loop: first the one with most operations, or in a trace
    #: alone the most frequent one.
    repeated: tuple[Repeated, ...] = ()
    #: Seconds that writing the trace took.
    traced: float = 0.0
    #: Calls of this frame, after the limit, that no version fit.
    eager_calls: int | None = None
    #: What torch wrote down of this compile, if it was asked for.
    listings: tuple[Listing, ...] = ()
    #: How many guards its code has.
    guard_count: int | None = None
    #: The line that most of them are from, and how many.
    guarded_line: tuple[Location, int] | None = None
    #: Kernels whose candidates were timed, and the seconds of it, at the compile or at the first run.
    autotuned: int = 0
    autotune_seconds: float = 0.0
    matmuls: tuple[Matmul, ...] = ()
    #: The process's memory, and the GPU's that torch gave out. ``None`` in a trace alone, and without a GPU.
    memory: Memory | None = None
    gpu_memory: Memory | None = None
    #: How torch computes float32 matmuls on this GPU, if it could be faster: ``ieee``.
    float32_precision: str | None = None
    #: Why no CUDA graph is used, in torch's words.
    cuda_graph_skipped: str | None = None

    @property
    def place(self) -> Location:
        """The compiled function's line, or the user's call if the function is torch's, as a module's wrapper."""
        return self.code if is_user_file(self.code.file) or not self.stack else self.stack[0]

    @property
    def ends(self) -> float:
        return self.start + self.seconds


@dataclass(frozen=True, kw_only=True)
class GraphBreak:
    """A graph break, once for each place in a compile."""

    compile: str
    #: ``GB0170``, if torch's message names it, and the cause in torch's words.
    gb_id: str | None
    cause: str
    explanation: str = ""
    hints: tuple[str, ...] = ()
    #: The whole stack, outermost first: the callers of the compiled frame too.
    stack: tuple[Location, ...] = ()
    #: The part of the stack that was compiled.
    inside: tuple[Location, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A compile outside of Dynamo: ``LAZY_BACKWARD``, ``CUDAGRAPH_RECORDING``."""

    trigger: str
    compile: str
    start: float
    seconds: float
    stack: tuple[Location, ...] = ()
    #: Of a CUDA graph: ``FORWARD``, ``BACKWARD`` or ``INFERENCE``, the sizes that it is recorded for, how many others
    #: there were for them, and why none of those fits, in torch's words.
    mode: str = ""
    sizes: tuple[int, ...] = ()
    again: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Message:
    """What torch logged about CUDA graphs."""

    text: str
    stack: tuple[Location, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Process:
    """What one process of the program did with torch."""

    pid: int
    argv: tuple[str, ...] = ()
    rank: int | None = None
    torch: str | None = None
    #: The first and the last sign of life, in seconds since the epoch.
    start: float = 0.0
    end: float = 0.0
    regions: tuple[Region, ...] = ()
    compiles: tuple[Compile, ...] = ()
    breaks: tuple[GraphBreak, ...] = ()
    intervals: tuple[Interval, ...] = ()
    messages: tuple[Message, ...] = ()
    #: The most bytes that the process had, and that torch gave out on the GPU, at the last note of the collector.
    peak: int | None = None
    gpu_peak: int | None = None
    #: Lines that called modules before torch.compile was used, each with its share of the time; the largest first.
    modules: tuple[tuple[Location, float], ...] = ()
    #: The share of backward passes in the same time.
    backward: float = 0.0
    #: The calls of regions, by the time when they ended.
    spans: tuple[Span, ...] = ()
    profile: Profile | None = None
    #: What could not be watched in this torch, and errors of the collector.
    missing: tuple[str, ...] = ()

    def region(self, id: int | None) -> Region | None:
        return next((region for region in self.regions if region.id == id), None)


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run of a program."""

    command: tuple[str, ...] = ()
    seconds: float = 0.0
    #: The status that a shell would show; ``None`` for a trace that was recorded elsewhere.
    status: int | None = None
    #: Why the program was asked to end: ``--seconds 60``, ``--steps 100``, ``Ctrl-C``; empty if it ended itself.
    stopped: str = ""
    processes: tuple[Process, ...] = ()
    #: Whether the program had our collector, or left torch's trace alone.
    collected: bool = True
    #: A second run of the program, in eager mode.
    eager: Run | None = None
