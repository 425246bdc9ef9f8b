"""One compile as data: frozen dataclasses of strings, numbers and tuples. Reading them needs no torch.

Names are torch's own. A *frame* is one Python function that Dynamo compiled once; it has at most one *graph*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from compile_lessons.gpu.kernel import GpuKernel, TargetGpu
from compile_lessons.part import Part, Parts

#: Which graph of a compile it is. An ``inference`` graph is the forward graph where no gradient is needed.
GraphKind = Literal["dynamo", "joint", "forward", "backward", "inference", "post_grad"]
#: Which ATen graph Inductor compiled.
Direction = Literal["forward", "backward", "inference"]
#: What a node of an FX graph does, in FX's words.
NodeOp = Literal["placeholder", "get_attr", "call_function", "call_method", "call_module", "output"]
#: The backend that wrote a kernel, or ``extern`` for a call into a library.
KernelKind = Literal["cpp", "triton", "extern", "other"]
#: Torch's caches of compiled graphs.
CacheName = Literal["FxGraphCache", "AOTAutogradCache"]
#: What a compile cache answers: ``bypass`` where torch can't make a key, ``off`` where it does not ask.
CacheState = Literal["hit", "miss", "bypass", "off"]
#: What a compared value is: ``state`` is what the call changed beside its arguments.
ValueKind = Literal["output", "gradient", "input", "state"]
#: What happened in one call of a compiled function. In an ``eager`` call no compiled code ran.
CallOutcome = Literal["compile", "recompile", "hit", "eager", "error"]


def total(sizes: Iterable[int | None]) -> int | None:
    """Return the sum of sizes; ``None`` if one of them is."""
    sizes = list(sizes)
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


@dataclass(frozen=True, kw_only=True)
class Location(Part):
    """A line of source. ``text`` is the line itself, stripped; empty if the file can't be read."""

    file: str
    line: int
    function: str = ""
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class TensorMeta(Part):
    """Metadata of one tensor. A dimension is an ``int``, or the symbol (``"s0"``) of a dynamic one.

    ``bytes`` is elements times element size; ``None`` if a dimension is symbolic.
    """

    shape: tuple[int | str, ...]
    stride: tuple[int | str, ...]
    dtype: str
    device: str
    bytes: int | None


@dataclass(frozen=True, kw_only=True)
class Node(Part):
    """A node of an FX graph.

    ``args`` are the arguments as text, ``inputs`` the names of the nodes among them, ``tensors`` the metadata of the
    result, ``location`` the user's line. ``sources`` are the nodes of the Dynamo graph that it was traced from, as far
    as torch's ``from_node`` says. ``decomposed_from`` is the ATen operator that was decomposed into this and
    other nodes.
    """

    name: str
    op: NodeOp
    target: str
    args: str
    inputs: tuple[str, ...]
    tensors: tuple[TensorMeta, ...]
    location: Location | None
    sources: tuple[str, ...]
    decomposed_from: str | None


@dataclass(frozen=True, kw_only=True)
class Graph(Part):
    """An FX graph. ``code`` is the graph as Python, as torch's ``print_readable`` writes it.

    ``subgraphs`` are the bodies of higher-order operators such as ``torch.cond``, by their names in the module.
    """

    kind: GraphKind
    code: str
    nodes: tuple[Node, ...]
    subgraphs: tuple[Subgraph, ...] = ()

    def node(self, name: str) -> Node:
        """Return the node of that name. Raises ``KeyError`` if there is none."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise KeyError(f"the {self.kind} graph has no node {name!r}")

    @property
    def calls(self) -> tuple[Node, ...]:
        """The nodes that compute: neither inputs, nor attributes, nor the output."""
        return tuple(node for node in self.nodes if node.op.startswith("call_"))


@dataclass(frozen=True, kw_only=True)
class Subgraph(Part):
    """The body of a higher-order operator, by its name in the module."""

    name: str
    graph: Graph


@dataclass(frozen=True, kw_only=True)
class Instruction(Part):
    """A bytecode instruction: byte offset, source line (``None`` for code that Dynamo wrote), name and argument."""

    offset: int
    line: int | None
    opname: str
    argument: str


@dataclass(frozen=True, kw_only=True)
class Guard(Part):
    """A condition under which the compiled code can be reused.

    ``kind`` is the guard's constructor in torch (``TENSOR_MATCH``, ``SHAPE_ENV``, …), ``source`` the expression that
    it checks (``L['x']``), ``checks`` the conditions in torch's words, ``words`` the same in English, and ``location``
    the user's line that caused the guard, if torch kept it. Torch's ``SHAPE_ENV`` guard, which holds all conditions on
    sizes, is one guard per condition here.
    """

    kind: str
    source: str
    checks: tuple[str, ...]
    words: str
    location: Location | None


@dataclass(frozen=True, kw_only=True)
class GuardNode(Part):
    """A node of the guard tree: the value (``accessor``), the checks on it, and the values reached from it."""

    accessor: str
    checks: tuple[str, ...]
    children: tuple[GuardNode, ...]


@dataclass(frozen=True, kw_only=True)
class Break(Part):
    """A graph break. ``gb_id`` (``GB0170``) is its number in torch's registry; ``None`` if it is not there.

    ``stack`` are the user's frames, innermost last.
    """

    gb_type: str
    gb_id: str | None
    explanation: str
    hints: tuple[str, ...]
    context: str
    stack: tuple[Location, ...]


@dataclass(frozen=True, kw_only=True)
class Skip(Part):
    """A frame that runs in eager mode because Dynamo skipped it, and the reason that Dynamo gave, if any."""

    function: str
    file: str
    line: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class IrNode(Part):
    """A scheduler node before fusion. ``kind`` is the IR's class (``Pointwise``, ``Reduction``, ``ExternKernelOut``).

    ``buffers`` are what it writes, ``reads`` what it loads, ``origins`` the nodes of the post-grad graph that it
    computes, ``text`` torch's own description with the loop body. The name of an origin in a subgraph begins with the
    subgraph's: ``true_graph_0.mm``.
    """

    name: str
    kind: str
    buffers: tuple[str, ...]
    reads: tuple[str, ...]
    origins: tuple[str, ...]
    text: str


@dataclass(frozen=True, kw_only=True)
class FusedNode(Part):
    """A scheduler node after fusion. ``members`` are the nodes before fusion that it consists of."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class FusionDecision(Part):
    """Two nodes that the scheduler considered fusing.

    ``fused`` says whether they ended up in one scheduler node. ``reason`` is torch's, or says that torch gave none.
    ``kernel`` is the kernel that computes both; empty if there is none. The C++ backend also writes nodes that the
    scheduler did not fuse into one function.
    """

    first: str
    second: str
    fused: bool
    reason: str
    kernel: str


@dataclass(frozen=True, kw_only=True)
class Reuse(Part):
    """Memory of ``old`` that ``new`` takes over, after ``old`` is freed (``reuse``) or by writing into it."""

    old: str
    new: str
    kind: Literal["reuse", "in place"]


@dataclass(frozen=True, kw_only=True)
class Kernel(Part):
    """A kernel that Inductor wrote, or a call of an extern kernel.

    ``nodes`` are the scheduler nodes that it computes, ``origins`` the nodes of the post-grad graph, as in ``IrNode``.
    ``loads`` and ``stores`` are buffers outside the kernel, by their names in the output code: memory that is written
    in place keeps its name there, while an ``IrNode`` has the scheduler's new one. ``bytes`` is the scheduler's
    estimate of memory read and written, ``flops`` its count of floating-point operations. Both are ``None`` where the
    scheduler has no number, such as for a size that is unknown until the kernel runs. ``source`` is empty for extern
    kernels.
    """

    name: str
    kind: KernelKind
    nodes: tuple[str, ...]
    origins: tuple[str, ...]
    loads: tuple[str, ...]
    stores: tuple[str, ...]
    bytes: int | None
    flops: int | None
    source: str


@dataclass(frozen=True, kw_only=True)
class CodeLine(Part):
    """A line of the output code that calls a kernel, with a post-grad node that the kernel computes and its user line.

    Lines are counted from 1. A kernel that computes several nodes has an entry for each. Lines that call no kernel have
    no entry, and neither has a wrapper in C++ (``cpp_wrapper``).
    """

    line: int
    node: str
    location: Location | None


@dataclass(frozen=True, kw_only=True)
class InductorGraph(Part):
    """One ATen graph in Inductor, from the post-grad graph to the output code.

    ``gpu_kernels`` are the Triton kernels of a capture with a GPU as its target, each once, down to machine code.
    """

    direction: Direction
    post_grad: Graph
    ir: tuple[IrNode, ...]
    fused: tuple[FusedNode, ...]
    decisions: tuple[FusionDecision, ...]
    reuses: tuple[Reuse, ...]
    kernels: tuple[Kernel, ...]
    output_code: str
    output_file: str
    code_lines: tuple[CodeLine, ...]
    gpu_kernels: tuple[GpuKernel, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Saved(Part):
    """A value that the forward graph keeps for the backward graph."""

    name: str
    tensors: tuple[TensorMeta, ...]
    bytes: int | None


@dataclass(frozen=True, kw_only=True)
class CompiledGraph(Part):
    """One graph through all stages. A stage is ``None`` (or empty) only if ``missing`` says why.

    ``joint`` and ``backward`` exist for graphs that need gradients. ``recomputed`` are the nodes that both the forward
    and the backward graph compute, by their names in the backward graph. The name of a node in the body of a region
    begins with the region's. Bodies of other operators, such as ``torch.cond``, don't go through the partitioner.
    """

    dynamo: Graph
    joint: Graph | None
    forward: Graph | None
    backward: Graph | None
    saved: tuple[Saved, ...]
    recomputed: tuple[str, ...]
    inductor: tuple[InductorGraph, ...]
    missing: tuple[Missing, ...]

    @property
    def stages(self) -> tuple[Graph, ...]:
        """The graphs that there are, in the order of the compile, up to AOTAutograd's."""
        return tuple(graph for graph in (self.dynamo, self.joint, self.forward, self.backward) if graph is not None)

    @property
    def saved_bytes(self) -> int | None:
        """Bytes kept for the backward pass; ``None`` if a dimension is symbolic."""
        return total(saved.bytes for saved in self.saved)

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels of all of the graph's Inductor graphs."""
        return tuple(kernel for part in self.inductor for kernel in part.kernels)


@dataclass(frozen=True, kw_only=True)
class Missing(Part):
    """A stage that a graph did not reach, and the reason."""

    stage: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Frame(Part):
    """One compile of one frame. ``id`` is torch's compile id (``0/0``): frame, and how often it was compiled before.

    ``module`` is the class of the ``nn.Module`` whose method the function is; empty for any other function.
    ``resume`` says that Dynamo wrote the function to continue after a graph break. If Dynamo gave up, ``rewritten`` is
    empty, ``graph`` is ``None`` and ``error`` says why. There is no graph either if the frame has no operation on
    tensors, such as before a break in the first line. ``seconds`` is the time of this compile, without that of a
    backward graph that is compiled later.
    """

    id: str
    function: str
    module: str
    file: str
    line: int
    resume: bool
    original: tuple[Instruction, ...]
    rewritten: tuple[Instruction, ...]
    guards: tuple[Guard, ...]
    guard_tree: GuardNode | None
    breaks: tuple[Break, ...]
    graph: CompiledGraph | None
    error: str | None
    seconds: float

    @property
    def name(self) -> str:
        """The function with its module's class: ``LlamaModel.forward``, or ``LlamaModel`` for a decorator's wrapper."""
        if not self.module or self.function == "wrapper":
            return self.module or self.function
        return f"{self.module}.{self.function}"

    @property
    def why_no_graph(self) -> str:
        """The reason why there is no graph; empty if there is one."""
        return "" if self.graph else self.error or "it has no operation on tensors"


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
class Compared(Part):
    """One value of the compiled run, compared with the same value of the eager run."""

    kind: ValueKind
    path: str
    equal: bool
    max_difference: float | None
    tolerance: float | None


@dataclass(frozen=True, kw_only=True)
class EagerComparison(Part):
    """The results of the compiled run, compared with those of eager mode.

    A result may differ by the share of its size that its dtype allows (``compare.TOLERANCES``). If a result differs by
    more, eager mode runs again with the inputs and the result of each operation changed by up to a tenth of that share,
    and the compiled result may differ by as much as eager's then does. Inductor's random numbers differ from eager's,
    so a function that draws any is compiled once more, for the comparison alone, with
    ``torch._inductor.config.fallback_random`` and without ``layout_optimization``; ``values`` are those of that
    compile.

    ``reason`` says which of these happened, why results were not compared, and which values could not be.
    """

    status: Literal["equal", "different", "not compared"]
    reason: str
    values: tuple[Compared, ...]


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
    bytecode: tuple[int, ...]
    dynamo: tuple[str, ...]
    forward: tuple[str, ...]
    backward: tuple[str, ...]
    buffers: tuple[str, ...]
    kernels: tuple[str, ...]
    code: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Lines(Part):
    """The mapping between lines and stages. ``unknown`` are names that lead to no line: ``0/0 backward: add_3``."""

    lines: tuple[Line, ...]
    unknown: tuple[str, ...]

    def at(self, line: int) -> tuple[Line, ...]:
        """Return the entries of one source line, one per frame."""
        return tuple(entry for entry in self.lines if entry.line == line)


@dataclass(frozen=True, kw_only=True)
class Pipeline(Part):
    """Everything that the compile of one call did.

    ``target`` is ``cpu`` or the name of the device that code was written for, which ``gpu`` then describes.
    ``comparison`` is ``None`` unless ``capture`` was asked to compare.
    """

    function: str
    torch_version: str
    target: str
    frames: tuple[Frame, ...]
    skips: tuple[Skip, ...]
    phases: tuple[Phase, ...]
    caches: tuple[CacheLookup, ...]
    comparison: EagerComparison | None
    failures: tuple[StageFailure, ...]
    lines: Lines
    gpu: TargetGpu | None = None

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

    ``failed`` are the guards that failed, in torch's words. ``compiles`` is the number of frames compiled, and
    ``recompiles`` the number of those that had been compiled before. ``skipped`` is the reason why no compiled code
    ran, if torch gives one. ``comparison`` is made only with ``capture_calls(fn, compare=True)``.
    """

    index: int
    arguments: str
    outcome: CallOutcome
    failed: tuple[str, ...]
    compiles: int
    recompiles: int
    entries: tuple[CacheEntry, ...]
    skipped: str
    error: StageFailure | None
    comparison: EagerComparison | None


@dataclass(frozen=True, kw_only=True)
class Calls(Part):
    """A function called several times."""

    function: str
    calls: tuple[Call, ...]

    @property
    def recompiles(self) -> int:
        """Frames that were compiled again: a frame's first compile is not counted."""
        return sum(call.recompiles for call in self.calls)
