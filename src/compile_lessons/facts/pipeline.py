"""Everything that the compile of one call did, and what each of several calls of a function compiled."""

from dataclasses import dataclass
from typing import Literal

from compile_lessons.facts.frames import Break, CompiledGraph, Frame, Guard, Skip
from compile_lessons.facts.gpu import GpuKernel, TargetGpu
from compile_lessons.facts.graphs import FusionDecision, Kernel
from compile_lessons.facts.part import Part, Parts
from compile_lessons.facts.source import Location

#: What a compared value is: ``state`` is what the call changed beside its arguments.
ValueKind = Literal["output", "gradient", "input", "state"]


@dataclass(frozen=True, kw_only=True)
class Compared(Part):
    """One value of the compiled run, compared with the same value of the eager run.

    ``max_difference`` is ``None`` for what has no numbers to subtract, and where an infinity or NaN stands in one run
    alone.
    """

    kind: ValueKind
    path: str
    equal: bool
    max_difference: float | None
    tolerance: float | None


@dataclass(frozen=True, kw_only=True)
class Origin(Part):
    """Where results begin to differ from eager mode.

    ``backend`` is the first of torch's backends ``eager``, ``aot_eager``, ``aot_eager_decomp_partition`` and
    ``inductor`` whose results differ, and ``stage`` what it adds to those before it. ``step`` is the part of the stage
    that makes the difference, and ``location`` the first line that computes something else. Either may be unknown.
    """

    backend: str
    stage: str
    step: str
    location: Location | None


@dataclass(frozen=True, kw_only=True)
class EagerComparison(Part):
    """The results of the compiled run, compared with those of eager mode.

    Results are the outputs, gradients, and what the call changed in its arguments and in attributes and globals that
    it can reach. Of an output, the type, the strides, ``requires_grad`` and whose memory it has count too.

    A result may differ by the share of its size that its dtype allows (``compare.TOLERANCES``). If a result differs by
    more, eager mode runs again with the inputs and the result of each operation changed by up to a tenth of that share,
    and the compiled result may differ by as much as eager's then does. Inductor's random numbers differ from eager's,
    so a function that draws any is compiled once more, for the comparison alone, with
    ``torch._inductor.config.fallback_random`` and without ``layout_optimization``; ``values`` are those of that
    compile.

    If results differ, ``origin`` says where that begins, as far as it can be told.
    ``reason`` says which of these happened and in which operation other roundings grow most, why results were not
    compared, and which values could not be.
    """

    status: Literal["equal", "different", "not compared"]
    reason: str
    values: tuple[Compared, ...]
    origin: Origin | None = None


@dataclass(frozen=True, kw_only=True)
class StageFailure(Part):
    """An exception: the stage that raised it, its type and message, and the user's line unless it is unknown."""

    stage: str
    type: str
    message: str
    location: Location | None


@dataclass(frozen=True, kw_only=True)
class Line(Part):
    """One line of user source in one frame, with everything in each stage that torch traces back to it.

    ``bytecode`` are offsets in the frame's original code, the others names in the stages of the frame's graph. The name
    of a node in a subgraph begins with the subgraph's: ``true_graph_0.mm``. ``code`` are lines of the output code:
    ``forward:154`` is line 154 of the forward graph's.
    """

    frame: str
    file: str
    line: int
    text: str
    bytecode: tuple[int, ...] = ()
    dynamo: tuple[str, ...]
    forward: tuple[str, ...]
    backward: tuple[str, ...]
    buffers: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lines(Part):
    """The mapping between lines and stages. ``unknown`` are names that lead to no line: ``0/0 backward: add_3``."""

    lines: tuple[Line, ...]
    unknown: tuple[str, ...] = ()

    def at(self, line: int) -> tuple[Line, ...]:
        """Return the entries of one source line, one per frame."""
        return tuple(entry for entry in self.lines if entry.line == line)


#: Torch's caches of compiled graphs.
CacheName = Literal["FxGraphCache", "AOTAutogradCache"]
#: What a compile cache answers: ``bypass`` where torch can't make a key, ``off`` where it does not ask.
CacheState = Literal["hit", "miss", "bypass", "off"]


@dataclass(frozen=True, kw_only=True)
class Phase(Part):
    """Time in one of torch's phases, in seconds, over ``calls`` calls. A phase includes the phases inside it."""

    name: str
    calls: int
    seconds: float


@dataclass(frozen=True, kw_only=True)
class CacheLookup(Part):
    """The answer that one of torch's compile caches would have given.

    A hit is an entry on disk under the same key. The entry isn't used, because it would hide the stages below it. For
    ``bypass`` there is no key, and ``key`` is the reason that torch gives. For ``off`` torch doesn't ask the cache,
    and ``key`` is the setting that turns the cache off (empty if no setting does). A capture for a GPU turns both
    caches off.
    """

    cache: CacheName
    key: str
    state: CacheState


@dataclass(frozen=True, kw_only=True)
class Circumstance(Part):
    """One thing about how the program compiles or calls what was explained: options, a context, a thread, a setting.

    ``kept`` says whether the explained call did the same. Where it is false, the program may do something else than
    what was explained.
    """

    what: str
    location: Location | None
    kept: bool = True


@dataclass(frozen=True, kw_only=True)
class Pipeline(Part):
    """Everything that the compile of one call did.

    ``target`` is ``cpu`` or the name of the device that code was written for, which ``gpu`` then describes.
    ``comparison`` is ``None`` unless ``capture`` was asked to compare. ``circumstances`` say how the program itself
    compiles and calls the callable, if that was observed.
    """

    function: str
    torch_version: str
    target: str = ""
    frames: tuple[Frame, ...]
    skips: tuple[Skip, ...] = ()
    phases: tuple[Phase, ...] = ()
    caches: tuple[CacheLookup, ...] = ()
    comparison: EagerComparison | None = None
    failures: tuple[StageFailure, ...] = ()
    lines: Lines
    gpu: TargetGpu | None = None
    circumstances: tuple[Circumstance, ...] = ()

    @property
    def graphs(self) -> Parts[CompiledGraph]:
        """The graphs of all frames; a frame without a graph has none here."""
        return Parts(frame.graph for frame in self.frames if frame.graph is not None)

    @property
    def breaks(self) -> Parts[Break]:
        """The graph breaks of all frames."""
        return Parts(graph_break for frame in self.frames for graph_break in frame.breaks)

    @property
    def guards(self) -> Parts[Guard]:
        """The guards of all frames."""
        return Parts(guard for frame in self.frames for guard in frame.guards)

    @property
    def kernels(self) -> Parts[Kernel]:
        """The kernels of all graphs, and their calls of extern kernels."""
        return Parts(kernel for graph in self.graphs for kernel in graph.kernels)

    @property
    def decisions(self) -> Parts[FusionDecision]:
        return Parts(decision for graph in self.graphs for part in graph.inductor for decision in part.decisions)

    @property
    def gpu_kernels(self) -> Parts[GpuKernel]:
        """The Triton kernels of all graphs, down to machine code; empty on the CPU."""
        return Parts(kernel for graph in self.graphs for part in graph.inductor for kernel in part.gpu_kernels)


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
