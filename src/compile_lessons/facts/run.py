"""Facts about one run of a program: its processes, what they compiled, why, and what ran in eager mode.

A number that the run did not show is ``None``. ``trace.read`` makes these facts, ``findings`` judges them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from compile_lessons.facts.frames import Break
from compile_lessons.facts.source import Location, innermost, is_not_torch, is_user_file, resumed
from compile_lessons.ground.groups import grouped


@dataclass(frozen=True, kw_only=True)
class Stacked:
    """What a line of the program did."""

    #: The lines outside of torch that led to it, the innermost first.
    stack: tuple[Location, ...] = ()

    @property
    def line(self) -> Location | None:
        """The user's line that did it, or a library's if no line is the user's."""
        return innermost(reversed(self.stack))


@dataclass(frozen=True, kw_only=True)
class Region(Stacked):
    """One use of ``torch.compile``, ``module.compile()`` or the decorator, with all of its calls in one process."""

    id: int
    function: str
    #: The class, if it is a module.
    module: str | None = None
    #: Where the function is defined.
    code: Location | None = None
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

    #: The user's line that uses torch.compile.
    use = Stacked.line


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
class ProfiledWork:
    """What ran in a profile under one name: an operator on the CPU, or a kernel on the device."""

    name: str
    calls: int
    #: Without what it called.
    seconds: float
    #: Whether compiled code ran it.
    compiled: bool
    #: How long it would run at the GPU's own limit: the rate of a copy, or of a large product. ``None`` is not known.
    least: float | None = None
    #: Whether that limit is the rate of a copy.
    moves: bool = True
    #: The user's lines that it computes.
    lines: tuple[Location, ...] = ()

    @property
    def to_gain(self) -> float:
        """The seconds that it would save at that limit; 0 where the limit is not known, or was exceeded."""
        return max(0.0, self.seconds - self.least) if self.least is not None else 0.0


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
    #: What this GPU does in a second: bytes of a ``copy``, read and written ones, and operations of a large matmul of
    #: ``bf16`` and ``f32``. Empty if it was not measured.
    rates: dict[str, float] = field(default_factory=dict)
    #: The most seconds first: kernels of the device, or operators on the CPU.
    work: tuple[ProfiledWork, ...] = ()

    @property
    def last(self) -> int:
        return self.first + self.steps - 1


#: A stage whose text torch writes down: a graph, generated code, or guards.
ListingStage = Literal["dynamo", "inference", "forward", "backward", "post_grad", "code", "guards"]


@dataclass(frozen=True)
class TracedListing:
    """A text that torch wrote down of a compile: a graph, its guards, or generated code."""

    stage: ListingStage
    text: str


@dataclass(frozen=True)
class FailedCheck:
    """A guard that failed, in torch's words, and the value in the call that failed."""

    text: str
    new: str | None = None
    #: Whether it is on the size of a parameter that is an argument.
    parameter: bool = False
    #: The user's line that reads the value. ``None`` in a trace, where ``text`` has the end of its path.
    line: Location | None = None


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
    #: Copies in one module: a line that three layers have, and each of them four times, has 12 copies and 4 steps.
    #: ``None`` where the modules aren't known.
    steps: int | None = None


@dataclass(frozen=True, kw_only=True)
class Memory:
    """Bytes of a process, or of a GPU in a process: of a compile, those before and after it."""

    before: int
    after: int


#: The reason of a compile that was under way when the program was killed.
ENDED = "Ended"


@dataclass(frozen=True, kw_only=True)
class Compile(Stacked):
    """One time that Dynamo looked at a frame."""

    #: torch's id, ``"2/3"``: the fourth compile of frame 2. Empty if the frame was skipped before it got one. Where
    #: ids begin again, after ``torch._dynamo.reset()``, the trace's second one is ``"2/3#2"``.
    id: str = ""
    frame: int | None = None
    number: int = 0
    code: Location
    #: With its class: ``Adam.step``.
    name: str
    #: ``compiled``, ``skipped``, ``limit`` (it stays in eager mode from now on), or ``failed`` (an exception).
    outcome: str
    #: When it began, in seconds since the epoch, and how long the program waited for it.
    start: float = 0.0
    seconds: float = 0.0
    #: Compiled while another compile was running; its seconds are part of the other's.
    nested: bool = False
    #: Why there is no compiled code.
    reason: str | None = None
    region: int | None = None
    #: The number of the region's call.
    call: int | None = None
    thread: str = ""
    main_thread: bool = True
    #: ``grad``, ``no_grad`` or ``inference_mode``; ``None`` in a trace.
    mode: str | None = None
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
    #: Why AOTAutograd's cache can't hold a graph of it, in torch's words; empty if it can, or nothing said so.
    bypass: str = ""
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
    listings: tuple[TracedListing, ...] = ()
    #: How many guards its code has.
    guard_count: int | None = None
    #: The line that most of them are from, and how many.
    guarded_line: tuple[Location, int] | None = None
    #: Kernels whose candidates were timed, and the seconds of it, at the compile or at the first run.
    autotuned: int = 0
    autotune_seconds: float = 0.0
    #: For each code that Inductor generated, the collectives in their order, each with its group of ranks.
    collectives: tuple[tuple[tuple[str, str], ...], ...] = ()
    matmuls: tuple[Matmul, ...] = ()
    #: The process's memory, and the GPU's that torch gave out. ``None`` in a trace alone, and without a GPU.
    memory: Memory | None = None
    gpu_memory: Memory | None = None
    #: How torch computes float32 matmuls on this GPU, if it could be faster: ``ieee``.
    float32_precision: str | None = None
    #: Why no CUDA graph is used, in torch's words.
    cuda_graph_skipped: str | None = None
    #: Files whose lines compute with tensors. ``None`` in a trace.
    computing: frozenset[str] | None = None

    #: The user's line that called the frame.
    call_line = Stacked.line

    @property
    def place(self) -> Location:
        """The compiled function's line, or the user's call if the function is torch's, as a module's wrapper."""
        return self.code if is_user_file(self.code.file) or not self.stack else self.stack[0]

    @property
    def ends(self) -> float:
        return self.start + self.seconds

    @property
    def all_seconds(self) -> float:
        return self.seconds + self.backward_seconds


@dataclass(frozen=True, kw_only=True)
class GraphBreak(Break):
    """A graph break, once for each place in a compile. The stack of a trace has torch's frames too."""

    #: The compile's id.
    compile: str


@dataclass(frozen=True, kw_only=True)
class Interval(Stacked):
    """A compile outside of Dynamo: ``LAZY_BACKWARD``, ``CUDAGRAPH_RECORDING``."""

    trigger: str
    compile: str
    start: float
    seconds: float
    #: Of a CUDA graph: ``FORWARD``, ``BACKWARD`` or ``INFERENCE``, the sizes that it is recorded for, how many others
    #: there were for them, and why none of those fits, in torch's words.
    mode: str = ""
    sizes: tuple[int, ...] = ()
    again: int = 0
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Raised:
    """An exception that left a call of compiled code or a backward pass, or that ended the program or a thread."""

    #: Its class, and the module of that: ``TorchRuntimeError``, ``torch._dynamo.exc``.
    type: str
    module: str = ""
    message: str = ""
    #: What it left: ``call``, ``backward``, or neither.
    when: str = ""
    #: What it ended: ``program``, ``thread``, or neither.
    ends: str = ""
    region: int | None = None
    #: The number of the region's call in its thread.
    call: int | None = None
    thread: str = ""
    main_thread: bool = True
    #: The lines of its traceback, the innermost last: those outside of torch, and torch's below the last of them.
    frames: tuple[Location, ...] = ()
    #: The user's lines that called what it left, the innermost first.
    stack: tuple[Location, ...] = ()
    #: How often this line raised it.
    count: int = 1
    #: When it was raised last, in seconds since the epoch.
    time: float = 0.0

    @property
    def below(self) -> tuple[Location, ...]:
        """The frames of torch, and of generated code, below the last one that is neither."""
        outside = [at for at, frame in enumerate(self.frames) if is_not_torch(frame.file)]
        return self.frames[outside[-1] + 1 :] if outside else self.frames

    @property
    def line(self) -> Location | None:
        """The innermost line of the user's, or of a library's if no line is the user's."""
        return innermost((*reversed(self.stack), *self.frames))

    @property
    def place(self) -> tuple[str, int] | None:
        return (self.line.file, self.line.line) if self.line else None


@dataclass(frozen=True)
class Export(Stacked):
    """A program that ``torch.export`` made, with the sizes of its inputs: numbers, and names of those that may vary."""

    inputs: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class KernelArgument:
    """An argument of a Triton kernel as a compile saw it, or an option of the launch."""

    name: str
    #: Triton's type, ``*fp32`` or ``i32``; ``option`` for ``num_warps`` and its kind.
    type: str
    #: A number or a text; ``None`` for a tensor.
    value: str | None = None
    #: ``constexpr``, ``constant`` for a number that Triton made one, ``divisible by 16``, or empty.
    special: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """What another launch must have the same to run the same code."""
        fixed = self.value if self.special in ("constexpr", "constant") or self.type == "option" else None
        return self.type, self.special, fixed or ""


@dataclass(frozen=True, kw_only=True)
class LaunchWait(Stacked):
    """What a launch of a Triton kernel of the program waited for."""

    kernel: str
    #: Where the kernel is defined.
    code: Location
    start: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class KernelCompile(LaunchWait):
    """A compile of such a kernel. Inductor's own kernels are parts of a ``Compile``."""

    #: Whether Triton's cache on the disk had it; ``None`` if this Triton doesn't say.
    cached: bool | None = None
    #: The number of the kernel's launch that waited for it, without those that only timed configurations.
    launch: int
    #: Whether a search for the fastest configuration needed it.
    searching: bool = False
    arguments: tuple[KernelArgument, ...] = ()


@dataclass(frozen=True, kw_only=True)
class KernelSearch(LaunchWait):
    """A search of ``triton.autotune`` for the fastest configuration of a kernel."""

    configurations: int
    #: The names of the autotuner's key, and their values.
    keys: tuple[tuple[str, str], ...] = ()
    launch: int | None = None
    best: str = ""

    @property
    def named(self) -> str:
        """The kernel with the values of its key: ``matmul(m=64, n=128)``."""
        return f"{self.kernel}({', '.join(f'{name}={value}' for name, value in self.keys)})"


@dataclass(frozen=True)
class IgnoredNames(Stacked):
    """Weights that ``load_state_dict(…, strict=False)`` was given and ignored, as a wrapper's names are in the way."""

    given: int
    ignored: int
    example: str


@dataclass(frozen=True)
class AddedHook(Stacked):
    """A hook that was registered on a module inside of one that torch.compile was used for."""

    region: int
    #: What registered it: ``register_forward_hook``.
    kind: str
    #: ``Encoder.layers.0``.
    module: str
    #: When, in seconds since the epoch.
    time: float = 0.0


@dataclass(frozen=True)
class CopiedCode(Stacked):
    """A copy of a module, an attribute of which is compiled code of the original, with its weights."""

    module: str
    attribute: str


@dataclass(frozen=True)
class UncheckedDistribution(Stacked):
    """A distribution with invalid parameters, and what torch would have raised had it checked them."""

    distribution: str
    message: str


class Sample(NamedTuple):
    """What the collector keeps of one tensor or number, where two runs are compared."""

    path: str
    #: ``float32[2, 3], requires_grad``, or ``int``.
    type: str
    #: How many of its elements are infinite or NaN.
    not_finite: int
    #: For each part of the elements their sum, with a weight for each place, and the sum of their sizes.
    sums: tuple[float | None, ...]
    sizes: tuple[float | None, ...]


@dataclass(frozen=True)
class Samples:
    """What one of the first calls of a region was given, returned and changed, or the gradients of a backward pass."""

    region: int
    #: The number of the region's call, or of the backward pass.
    call: int
    when: Literal["given", "returned", "changed", "gradient"]
    leaves: tuple[Sample, ...]


@dataclass(frozen=True)
class Reset(Stacked):
    """A call of ``torch._dynamo.reset()``."""


@dataclass(frozen=True)
class Message(Stacked):
    """What torch logged about CUDA graphs, or about sizes in an export; or a warning of torch's."""

    text: str
    warning: bool = False


@dataclass(frozen=True, kw_only=True)
class Process:
    """What one process of the program did with torch."""

    pid: int
    argv: tuple[str, ...] = ()
    rank: int | None = None
    #: The lines of a program that led to the fork of this process, the innermost first; none if it was started anew.
    forked_at: tuple[Location, ...] = ()
    torch: str | None = None
    #: The first and the last sign of life, in seconds since the epoch.
    start: float = 0.0
    end: float = 0.0
    regions: tuple[Region, ...] = ()
    compiles: tuple[Compile, ...] = ()
    breaks: tuple[GraphBreak, ...] = ()
    intervals: tuple[Interval, ...] = ()
    messages: tuple[Message, ...] = ()
    exports: tuple[Export, ...] = ()
    #: Of kernels that the program launches; empty too where Triton has other names (``missing``).
    kernels: tuple[KernelCompile, ...] = ()
    searches: tuple[KernelSearch, ...] = ()
    resets: tuple[Reset, ...] = ()
    ignored_names: tuple[IgnoredNames, ...] = ()
    hooks: tuple[AddedHook, ...] = ()
    copies: tuple[CopiedCode, ...] = ()
    unchecked: tuple[UncheckedDistribution, ...] = ()
    raised: tuple[Raised, ...] = ()
    #: Whether it ran a backward pass.
    trains: bool = False
    #: The most bytes that the process had, and that torch gave out on the GPU, at the last note of the collector.
    peak: int | None = None
    gpu_peak: int | None = None
    #: Lines that called modules before torch.compile was used, each with its share of the time; the largest first.
    modules: tuple[tuple[Location, float], ...] = ()
    #: The share of backward passes in the same time.
    backward: float = 0.0
    #: The lines that it printed, where two runs are compared.
    printed: tuple[str, ...] = ()
    #: Samples of its first calls, in their order, where two runs are compared.
    samples: tuple[Samples, ...] = ()
    #: Lines in which the main thread was while no compiled function ran, since the last compile, each with its share of
    #: that time, the largest first; and how often the collector looked.
    between: tuple[tuple[Location, float], ...] = ()
    looked: int = 0
    #: The calls of regions, by the time when they ended.
    spans: tuple[Span, ...] = ()
    profile: Profile | None = None
    #: What could not be watched in this torch, and errors of the collector.
    missing: tuple[str, ...] = ()
    #: Kinds of records, and fields of records, that this version doesn't know, and how many records have them.
    unknown: tuple[tuple[str, int], ...] = ()
    #: Records that could not be written or read, and how many.
    lost: tuple[tuple[str, int], ...] = ()
    #: Whether the collector was in it. If not, torch's trace alone tells of it.
    collected: bool = True
    #: Whether its calls were counted, and whether the trace has its graph breaks.
    calls_seen: bool = True
    breaks_seen: bool = True

    @property
    def kernels_seen(self) -> bool:
        """Whether compiles of the program's own Triton kernels were noted."""
        return self.calls_seen and not any(name.startswith("triton.") for name in self.missing)

    @property
    def compiled_regions(self) -> set[int | None]:
        """The ids of the regions for which something was compiled."""
        return {item.region for item in self.compiles if item.outcome == "compiled"}

    @cached_property
    def compiling(self) -> list[tuple[float, float]]:
        """When it compiled: intervals that don't overlap, in their order."""
        intervals = [(item.start, item.ends) for item in self.compiles]
        return joined(intervals + [(item.start, item.start + item.seconds) for item in self.intervals])

    @property
    def compile_seconds(self) -> float:
        return sum(end - start for start, end in self.compiling)

    @property
    def last_compile(self) -> float:
        """When its last compile ended; 0 if it compiled nothing."""
        return max((end for _, end in self.compiling), default=0.0)

    @property
    def steps(self) -> Region | None:
        """The compiled function whose calls are the steps: the one that is called most often."""
        region = max(self.regions, key=lambda region: region.calls, default=None)
        return region if region and region.calls else None

    def region(self, id: int | None) -> Region | None:
        return next((region for region in self.regions if region.id == id), None)

    def spans_of(self, region: Region) -> list[Span]:
        return [span for span in self.spans if span.region == region.id]

    @property
    def fork(self) -> Location | None:
        """The user's line that forked this process, or a library's if no line is the user's."""
        return innermost(reversed(self.forked_at))

    def functions(self) -> list[tuple[Compile, ...]]:
        """Return the compiles of each function. After ``torch._dynamo.reset()``, frames have numbers of others."""
        functions = grouped(((it.frame, it.code), it) for it in self.compiles if it.frame is not None)
        return list(map(tuple, functions.values()))

    def use_of(self, item: Compile) -> Location | None:
        """Return the line that uses torch.compile for a compile."""
        region = self.region(item.region)
        return region.use if region else None

    def name_of(self, item: Compile) -> str:
        """Return ``Encoder.forward``. The frame of a module of torch's is a wrapper, so the region has the name."""
        region = self.region(item.region)
        if divided := resumed(item.code.function):
            return f"{divided[0]}, from the graph break in line {divided[1]} on,"
        if region is None:
            return item.name
        own = region.code and (region.code.file, region.code.line) == (item.code.file, item.code.line)
        wrapper = not is_user_file(item.code.file) and item.code.function in ("inner", "_call_impl", "wrapper")
        if own or wrapper or item.code.function == region.name.rpartition(".")[2]:
            return region.name
        return f"{item.name} (in {region.name})"


def joined(intervals: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return what intervals cover together, as intervals that don't overlap."""
    covered: list[tuple[float, float]] = []
    for start, end in sorted(intervals):
        if covered and start <= covered[-1][1]:
            covered[-1] = covered[-1][0], max(end, covered[-1][1])
        else:
            covered.append((start, end))
    return covered


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
    #: Files of no known process that could not be read, or are no trace, and how many.
    lost: tuple[tuple[str, int], ...] = ()
    unknown: tuple[tuple[str, int], ...] = ()
    #: Whether the program had our collector, or left torch's trace alone.
    collected: bool = True
    #: One compile, or several calls, that ``capture`` watched. There is no program, and no time of a run.
    captured: bool = False
    #: A second run of the program, in eager mode.
    eager: Run | None = None
    #: Where that differs, more runs: compiled, with the random numbers and the roundings of eager mode; if that differs
    #: too, in eager mode with inputs that are moved a little, and compiled by other backends.
    with_roundings: Run | None = None
    moved: Run | None = None
    backends: tuple[tuple[str, Run], ...] = ()
    #: A run without torch.compile, where the program may look up names of the wrapper that it returns.
    plain: Run | None = None

    @property
    def main(self) -> Process | None:
        """The process that waited longest for compiles."""
        return max(self.processes, key=lambda process: process.compile_seconds, default=None)

    def in_ranks(self) -> list[Process]:
        """Return the processes, each rank in its place."""
        return sorted(self.processes, key=lambda each: (each.rank or 0, each.start))

    @property
    def complete(self) -> bool:
        """Whether at least one process was seen, and no record of it is lost."""
        return bool(self.processes) and not self.lost and not any(process.lost for process in self.processes)

    @property
    def calls_seen(self) -> bool:
        return self.complete and all(process.calls_seen for process in self.processes)

    @property
    def kernels_seen(self) -> bool:
        return self.complete and all(process.kernels_seen for process in self.processes)

    @property
    def breaks_seen(self) -> bool:
        return self.complete and all(process.breaks_seen for process in self.processes)
