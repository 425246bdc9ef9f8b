"""What Dynamo did with one frame, and its graph through all stages."""

from __future__ import annotations

from dataclasses import dataclass

from compile_lessons.facts.graphs import Graph, InductorGraph, Kernel, TensorMeta, total
from compile_lessons.facts.part import Part
from compile_lessons.facts.source import Location


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

    ``value`` is what the source has to be, where that can be written down: a literal (``3``, ``'sdpa'``), a type
    (``torch.nn.modules.linear.Linear``), or a tensor's dtype and sizes (``float32[2, 16]``); empty for other guards.
    """

    kind: str
    source: str
    checks: tuple[str, ...]
    words: str
    location: Location | None
    value: str = ""


@dataclass(frozen=True, kw_only=True)
class GuardNode(Part):
    """A node of the guard tree: the value (``accessor``), the checks on it, and the values reached from it."""

    accessor: str
    checks: tuple[str, ...]
    children: tuple[GuardNode, ...]


@dataclass(frozen=True, kw_only=True)
class Break(Part):
    """A graph break. ``gb_id`` (``GB0170``) is its number in torch's registry; ``None`` if it is not there.

    ``stack`` are the user's frames that were compiled, innermost last; a library that the user installed counts.
    ``callers`` are the user's frames that called the compiled frame, innermost last.
    """

    gb_type: str
    gb_id: str | None
    explanation: str = ""
    hints: tuple[str, ...] = ()
    context: str = ""
    stack: tuple[Location, ...] = ()
    callers: tuple[Location, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Skip(Part):
    """A frame that runs in eager mode because Dynamo skipped it, and the reason that Dynamo gave, if any."""

    function: str
    file: str
    line: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class Saved(Part):
    """A value that the forward graph keeps for the backward graph."""

    name: str
    tensors: tuple[TensorMeta, ...]
    bytes: int | None


@dataclass(frozen=True, kw_only=True)
class Missing(Part):
    """A stage that a graph did not reach, and the reason."""

    stage: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class CompiledGraph(Part):
    """One graph through all stages. A stage is ``None`` (or empty) only if ``missing`` says why.

    ``joint`` and ``backward`` exist for graphs that need gradients. ``recomputed`` are the nodes that both the forward
    and the backward graph compute, by their names in the backward graph. The name of a node in the body of a region
    begins with the region's. Bodies of other operators, such as ``torch.cond``, don't go through the partitioner.
    """

    dynamo: Graph
    joint: Graph | None = None
    forward: Graph | None
    backward: Graph | None
    saved: tuple[Saved, ...] = ()
    recomputed: tuple[str, ...] = ()
    inductor: tuple[InductorGraph, ...]
    missing: tuple[Missing, ...] = ()

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


#: Functions around a module's ``forward``: torch's own for a module of torch, and the usual name in decorators.
_WRAPPERS = ("inner", "wrapper")


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
    module: str = ""
    file: str
    line: int
    resume: bool
    original: tuple[Instruction, ...] = ()
    rewritten: tuple[Instruction, ...] = ()
    guards: tuple[Guard, ...]
    guard_tree: GuardNode | None = None
    breaks: tuple[Break, ...]
    graph: CompiledGraph | None
    error: str | None = None
    seconds: float

    @property
    def name(self) -> str:
        """The function with its module's class: ``LlamaModel.forward``, or ``LlamaModel`` for a wrapper of it."""
        if not self.module or self.function in _WRAPPERS:
            return self.module or self.function
        return f"{self.module}.{self.function}"

    @property
    def why_no_graph(self) -> str:
        """The reason why there is no graph; empty if there is one."""
        return "" if self.graph else self.error or "it has no operation on tensors"
