"""One compile as data: frozen dataclasses of strings, numbers and tuples, and nothing that needs torch to be read.

Names are torch's own. A *frame* is one Python function that Dynamo compiled once; it has at most one *graph*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, TypeVar

from compile_lessons.gpu.model import Gpu, GpuKernel

#: Version of the JSON form. It changes when a field is removed, renamed or changes its meaning.
SCHEMA = 3


class Part:
    """Base of all parts: ``str()`` is for 100 columns, ``_repr_html_`` for notebooks and pages, and each has JSON."""

    def __str__(self) -> str:
        from compile_lessons.pipeline.text import text

        return text(self)

    def _repr_html_(self) -> str:
        from compile_lessons.pipeline.html import html

        return html(self)

    def to_json(self) -> str:
        """The part as JSON text with the schema's version; ``from_json`` gives an equal one back."""
        from compile_lessons.pipeline.jsonio import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what ``to_json`` of such a part wrote.

        Raises ``ValueError`` for another schema, a missing or an unknown field.
        """
        from compile_lessons.pipeline.jsonio import from_json

        return from_json(cls, text)


T = TypeVar("T")


class Parts(tuple[T, ...]):
    """Several parts of one kind: a tuple that prints as a table, or as the parts one after the other."""

    def __str__(self) -> str:
        from compile_lessons.pipeline.text import texts_of

        return texts_of(self)

    def _repr_html_(self) -> str:
        from compile_lessons.pipeline.html import html_of

        return html_of(self)

    def __getitem__(self, index: Any) -> Any:
        item = super().__getitem__(index)
        return Parts(item) if isinstance(index, slice) else item


@dataclass(frozen=True)
class Location(Part):
    """A line of source. ``text`` is the line itself, stripped; empty if the source is not there."""

    file: str
    line: int
    function: str = ""
    text: str = ""


@dataclass(frozen=True)
class TensorMeta(Part):
    """Metadata of one tensor. A dimension is an ``int``, or the symbol (``"s0"``) Dynamo gave a dynamic one.

    ``bytes`` is elements times element size; ``None`` if a dimension is symbolic.
    """

    shape: tuple[int | str, ...]
    stride: tuple[int | str, ...]
    dtype: str
    device: str
    bytes: int | None


@dataclass(frozen=True)
class Node(Part):
    """A node of an FX graph.

    ``op`` is FX's (``placeholder``, ``call_function``, …), ``args`` the arguments as text, ``inputs`` the names of the
    nodes among them, ``tensors`` the metadata of what it returns, ``location`` the user's line.
    ``sources`` are the nodes of the Dynamo graph it was traced from, as far as torch's ``from_node`` says;
    ``decomposed_from`` is the ATen operator whose decomposition made it, if it is not that operator itself.
    """

    name: str
    op: str
    target: str
    args: str
    inputs: tuple[str, ...]
    tensors: tuple[TensorMeta, ...]
    location: Location | None
    sources: tuple[str, ...]
    decomposed_from: str | None


@dataclass(frozen=True)
class Graph(Part):
    """An FX graph: ``kind`` is ``dynamo``, ``joint``, ``forward``, ``backward``, ``inference`` or ``post_grad``.

    ``code`` is the graph as Python, as torch's ``print_readable`` writes it.
    ``subgraphs`` are the bodies of higher-order operators such as ``torch.cond``, by the name they have in the module.
    """

    kind: str
    code: str
    nodes: tuple[Node, ...]
    subgraphs: tuple[Subgraph, ...] = ()

    def node(self, name: str) -> Node:
        """The node of that name; raises ``KeyError`` if there is none."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise KeyError(f"the {self.kind} graph has no node {name!r}")

    @property
    def calls(self) -> tuple[Node, ...]:
        """The nodes that compute: neither inputs, nor attributes, nor the output."""
        return tuple(node for node in self.nodes if node.op.startswith("call_"))


@dataclass(frozen=True)
class Subgraph(Part):
    name: str
    graph: Graph


@dataclass(frozen=True)
class Instruction(Part):
    """A bytecode instruction: byte offset, source line (``None`` for code Dynamo wrote), name and argument."""

    offset: int
    line: int | None
    opname: str
    argument: str


@dataclass(frozen=True)
class Guard(Part):
    """A condition under which the compiled code may be used again.

    ``kind`` is the guard's constructor in torch (``TENSOR_MATCH``, ``SHAPE_ENV``, …), ``source`` the expression it
    looks at (``L['x']``), ``checks`` the conditions as torch states them, ``words`` the same in English, and
    ``location`` the user's line that caused it, if torch kept it. Torch's one ``SHAPE_ENV`` is here one a condition.
    """

    kind: str
    source: str
    checks: tuple[str, ...]
    words: str
    location: Location | None


@dataclass(frozen=True)
class GuardNode(Part):
    """A node of the guard tree: the value (``accessor``), the checks on it, and the values reached from it."""

    accessor: str
    checks: tuple[str, ...]
    children: tuple[GuardNode, ...]


@dataclass(frozen=True)
class Break(Part):
    """A graph break. ``gb_id`` (``GB0170``) is its number in torch's registry, ``None`` if it has none there.

    ``stack`` are the user's frames, innermost last.
    """

    gb_type: str
    gb_id: str | None
    explanation: str
    hints: tuple[str, ...]
    context: str
    stack: tuple[Location, ...]


@dataclass(frozen=True)
class Skip(Part):
    """A frame that Dynamo left to Python, and the reason it gave (torch 2.11 gives none for some)."""

    function: str
    file: str
    line: int
    reason: str


@dataclass(frozen=True)
class IrNode(Part):
    """A scheduler node before fusion. ``kind`` is the IR's class (``Pointwise``, ``Reduction``, ``ExternKernelOut``).

    ``buffers`` are what it writes, ``reads`` what it loads, ``origins`` the nodes of the post-grad graph it computes,
    ``text`` torch's own description with the loop body. An origin in a subgraph is named after it: ``true_graph_0.mm``.
    """

    name: str
    kind: str
    buffers: tuple[str, ...]
    reads: tuple[str, ...]
    origins: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class FusedNode(Part):
    """A scheduler node after fusion: ``members`` are the names it had before."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class FusionDecision(Part):
    """Two nodes that the scheduler thought of fusing.

    ``fused`` says whether they ended in one scheduler node. ``reason`` is torch's, or says that torch gave none.
    ``kernel`` is the kernel that computes both, or empty: the C++ backend also writes nodes that the scheduler left
    apart into one function.
    """

    first: str
    second: str
    fused: bool
    reason: str
    kernel: str


@dataclass(frozen=True)
class Reuse(Part):
    """Memory of ``old`` that ``new`` takes over: ``kind`` is ``reuse`` (freed before) or ``in place``."""

    old: str
    new: str
    kind: str


@dataclass(frozen=True)
class Kernel(Part):
    """A kernel, or a call of an extern one.

    ``kind`` is the backend that wrote it: ``cpp``, ``triton``, or ``other``; or it is ``extern``. ``nodes`` are the
    scheduler nodes in it, ``origins`` the nodes of the post-grad graph, as in ``IrNode``. ``loads`` and ``stores`` are
    buffers outside the kernel, by their names in the output code: memory that is written in place keeps its name there,
    while an ``IrNode`` has the scheduler's new one. ``bytes`` is the scheduler's estimate of memory read and written,
    ``flops`` its count of floating-point operations; ``None`` where it has none, as for bytes of a size that only the
    run will tell. ``source`` is empty for extern kernels.
    """

    name: str
    kind: str
    nodes: tuple[str, ...]
    origins: tuple[str, ...]
    loads: tuple[str, ...]
    stores: tuple[str, ...]
    bytes: int | None
    flops: int | None
    source: str

    def assembly(self) -> str:
        """The assembly of a C++ kernel, from the compiler and with the options that Inductor uses.

        Raises ``ValueError`` for other kinds and ``RuntimeError`` with the compiler's message if it fails.
        """
        from compile_lessons.pipeline.assembly import assembly

        return assembly(self)


@dataclass(frozen=True)
class CodeLine(Part):
    """A line of the output code (from 1) that calls a kernel, a post-grad node the kernel computes, and its user line.

    A kernel that computes several nodes has an entry for each. Lines that call none have no entry, nor has a wrapper in
    C++ (``cpp_wrapper``).
    """

    line: int
    node: str
    location: Location | None


@dataclass(frozen=True)
class InductorGraph(Part):
    """What Inductor made of one ATen graph. ``direction`` is ``forward``, ``backward`` or ``inference``.

    ``gpu_kernels`` are the Triton kernels of a capture with a GPU as its target, each once, down to machine code.
    """

    direction: str
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


@dataclass(frozen=True)
class Saved(Part):
    """A value that the forward graph keeps for the backward graph."""

    name: str
    tensors: tuple[TensorMeta, ...]
    bytes: int | None


@dataclass(frozen=True)
class CompiledGraph(Part):
    """One graph through the stages. A stage is ``None`` (or empty) only if ``missing`` says why.

    ``joint`` and ``backward`` exist for graphs that need gradients; ``recomputed`` are the nodes that the partitioner
    computes in both directions instead of saving them, by their names in the backward graph. A node in the body of a
    region is named after it; bodies of other operators, such as ``torch.cond``, do not pass the partitioner.
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
    def saved_bytes(self) -> int | None:
        """Bytes kept for the backward pass; ``None`` if a dimension is symbolic."""
        sizes = [saved.bytes for saved in self.saved]
        return None if None in sizes else sum(sizes)

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        return tuple(kernel for part in self.inductor for kernel in part.kernels)


@dataclass(frozen=True)
class Missing(Part):
    """A stage that is not there, and why."""

    stage: str
    reason: str


@dataclass(frozen=True)
class Bytecode(Part):
    """The bytecode of a frame as the user wrote it, and as Dynamo rewrote it."""

    original: tuple[Instruction, ...]
    rewritten: tuple[Instruction, ...]


@dataclass(frozen=True)
class Frame(Part):
    """One compile of one frame. ``id`` is torch's compile id (``0/0``): frame, and how often it was compiled before.

    ``resume`` says that it is a function that Dynamo wrote to go on after a break. ``rewritten`` is empty and
    ``graph`` is ``None`` if Dynamo gave up; ``error`` then says why. Where Dynamo met no operation on tensors, as
    before a break in the first line, there is no graph either. ``seconds`` is the time of this compile;
    a backward graph that is compiled later is not in it.
    """

    id: str
    function: str
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
    def bytecode(self) -> Bytecode:
        """Both forms of the bytecode, for reading."""
        return Bytecode(self.original, self.rewritten)

    @property
    def no_graph(self) -> str:
        """Why there is no graph; empty if there is one."""
        return "" if self.graph else self.error or "Dynamo met no operation on tensors in it"


@dataclass(frozen=True)
class Phase(Part):
    """Time in one of torch's phases, in seconds, over ``calls`` calls. A phase includes those inside it."""

    name: str
    calls: int
    seconds: float


@dataclass(frozen=True)
class CacheLookup(Part):
    """What one of torch's compile caches would have answered: ``state`` is ``hit``, ``miss``, ``bypass`` or ``off``.

    A hit is an entry on disk under the same key. It is not used, as it would hide every stage below it. Under
    ``bypass`` torch made no key, and ``key`` is the reason it gave; under ``off`` it did not ask, and ``key`` is the
    setting that says so (empty if none does). A capture for a GPU turns both caches off itself.
    """

    cache: str
    key: str
    state: str


@dataclass(frozen=True)
class Compared(Part):
    """One value of the compiled run beside eager's. ``kind``: ``output``, ``gradient``, ``input`` or ``state``."""

    kind: str
    path: str
    equal: bool
    max_difference: float | None
    tolerance: float | None


@dataclass(frozen=True)
class Comparison(Part):
    """Compiled results beside eager's: ``status`` is ``equal``, ``different`` or ``not compared`` (then why).

    A result may be off by a part of its size that its dtype sets (``compare.TOLERANCES``). Where some are further off,
    eager mode runs again with the inputs and the result of each operation moved by up to a tenth of that, and results
    may be off as eager's then are: ``reason`` says so. Inductor's random numbers are not eager's. A function that draws
    some is compiled once more, for the comparison alone, with ``torch._inductor.config.fallback_random`` and without
    ``layout_optimization``; ``reason`` says so, and ``values`` are of that.
    ``reason`` also names each value that could not be compared.
    """

    status: str
    reason: str
    values: tuple[Compared, ...]


@dataclass(frozen=True)
class Failure(Part):
    """Something that raised: the stage, the exception's type and message, and the user's line if it is known."""

    stage: str
    type: str
    message: str
    location: Location | None


@dataclass(frozen=True)
class Line(Part):
    """One line of user source and all that torch says was made from it, in one frame.

    ``bytecode`` are offsets in the frame's original code; the others are names in the frame's graph, each of
    ``forward``, ``backward``, ``buffers``, ``kernels`` as in that stage; a node of a subgraph is named after it,
    ``true_graph_0.mm``. ``code`` are lines of the output code, ``forward:154`` for line 154 of the forward graph's.
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


@dataclass(frozen=True)
class Lines(Part):
    """The mapping between lines and stages; ``unknown`` are names, as ``0/0 backward: add_3``, without known origin."""

    lines: tuple[Line, ...]
    unknown: tuple[str, ...]

    def at(self, line: int) -> tuple[Line, ...]:
        """The entries of one source line, one a frame."""
        return tuple(entry for entry in self.lines if entry.line == line)


@dataclass(frozen=True)
class Pipeline(Part):
    """Everything that one call's compile did.

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
    comparison: Comparison | None
    failures: tuple[Failure, ...]
    lines: Lines
    gpu: Gpu | None = None
    schema: int = SCHEMA

    @property
    def graphs(self) -> Parts[CompiledGraph]:
        return Parts(frame.graph for frame in self.frames if frame.graph is not None)

    @property
    def breaks(self) -> Parts[Break]:
        return Parts(graph_break for frame in self.frames for graph_break in frame.breaks)

    @property
    def guards(self) -> Parts[Guard]:
        return Parts(guard for frame in self.frames for guard in frame.guards)

    @property
    def kernels(self) -> Parts[Kernel]:
        return Parts(kernel for graph in self.graphs for kernel in graph.kernels)

    @property
    def gpu_kernels(self) -> Parts[GpuKernel]:
        return Parts(kernel for graph in self.graphs for part in graph.inductor for kernel in part.gpu_kernels)


@dataclass(frozen=True)
class CacheEntry(Part):
    """Compiled versions of one function that are kept after a call."""

    function: str
    file: str
    line: int
    entries: int


@dataclass(frozen=True)
class Call(Part):
    """One call of a list. ``outcome``: ``compile`` (first), ``recompile``, ``hit``, ``eager`` (no compiled code ran,
    as after the recompile limit) or ``error``.

    ``failed`` are the guards that failed, in torch's words, ``compiles`` how many frames were compiled, and
    ``recompiles`` how many of those had been compiled before. ``skipped`` is why no compiled code ran, if it is known.
    """

    index: int
    arguments: str
    outcome: str
    failed: tuple[str, ...]
    compiles: int
    recompiles: int
    entries: tuple[CacheEntry, ...]
    skipped: str
    error: Failure | None


@dataclass(frozen=True)
class Calls(Part):
    """A function called several times."""

    function: str
    calls: tuple[Call, ...]
    schema: int = SCHEMA

    @property
    def recompiles(self) -> int:
        """Frames that were compiled again: a frame's first compile is not counted."""
        return sum(call.recompiles for call in self.calls)
