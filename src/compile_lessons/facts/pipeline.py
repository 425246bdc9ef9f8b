"""Everything that the compile of one call did."""

from dataclasses import dataclass
from typing import Literal

from compile_lessons.facts.comparison import EagerComparison, StageFailure
from compile_lessons.facts.dynamo import Break, Guard, Skip
from compile_lessons.facts.frames import CompiledGraph, Frame
from compile_lessons.facts.gpu import GpuKernel, TargetGpu
from compile_lessons.facts.inductor import FusionDecision, Kernel
from compile_lessons.facts.lines import Lines
from compile_lessons.facts.part import Part, Parts
from compile_lessons.facts.source import Location

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
