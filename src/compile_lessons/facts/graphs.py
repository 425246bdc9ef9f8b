"""An FX graph as data, whichever stage made it, and what Inductor makes of an ATen graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from compile_lessons.facts.gpu import GpuKernel
from compile_lessons.facts.part import Part
from compile_lessons.facts.source import Location


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


def total(sizes: Iterable[int | None]) -> int | None:
    """Return the sum of sizes; ``None`` if one of them is."""
    sizes = list(sizes)
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


#: Which graph of a compile it is. An ``inference`` graph is the forward graph where no gradient is needed.
GraphKind = Literal["dynamo", "joint", "forward", "backward", "inference", "post_grad"]
#: What a node of an FX graph does, in FX's words.
NodeOp = Literal["placeholder", "get_attr", "call_function", "call_method", "call_module", "output"]


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
    args: str = ""
    inputs: tuple[str, ...] = ()
    tensors: tuple[TensorMeta, ...] = ()
    location: Location | None
    sources: tuple[str, ...] = ()
    decomposed_from: str | None = None


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


def qualified_nodes(graph: Graph, prefix: str = "") -> Iterator[tuple[str, Node]]:
    """Yield each node with its name. A node of a subgraph is named after the subgraph too: ``true_graph_0.mm``."""
    for node in graph.nodes:
        yield prefix + node.name, node
    for subgraph in graph.subgraphs:
        yield from qualified_nodes(subgraph.graph, f"{prefix}{subgraph.name}.")


#: Which ATen graph Inductor compiled.
Direction = Literal["forward", "backward", "inference"]
#: The backend that wrote a kernel, or ``extern`` for a call into a library.
KernelKind = Literal["cpp", "triton", "extern", "other"]


@dataclass(frozen=True, kw_only=True)
class IrNode(Part):
    """A scheduler node before fusion. ``kind`` is the IR's class (``Pointwise``, ``Reduction``, ``ExternKernelOut``).

    ``buffers`` are what it writes, ``reads`` what it loads, ``origins`` the nodes of the post-grad graph that it
    computes, ``text`` torch's own description with the loop body. The name of an origin in a subgraph begins with the
    subgraph's: ``true_graph_0.mm``. ``bytes`` is what the node would read and write as a kernel of its own, counted as
    for a ``Kernel``.
    """

    name: str
    kind: str
    buffers: tuple[str, ...]
    reads: tuple[str, ...]
    origins: tuple[str, ...]
    bytes: int | None
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
    in place keeps its name there, while an ``IrNode`` has the scheduler's new one. ``bytes`` is the memory read and
    written, of a buffer only the part that is indexed; ``flops`` is the scheduler's count of floating-point operations.
    Both are ``None`` where there is no number, such as for a size that is unknown until the kernel runs. ``source`` is
    empty for extern kernels.
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


class Assembly(NamedTuple):
    """The instructions of a C++ kernel. ``lines`` are pairs: a line of ``text``, and the line of the kernel's source
    that the compiler's debug information names for it. Both count from 1.
    """

    text: str
    lines: tuple[tuple[int, int], ...]


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
    ir: tuple[IrNode, ...] = ()
    fused: tuple[FusedNode, ...] = ()
    decisions: tuple[FusionDecision, ...] = ()
    reuses: tuple[Reuse, ...] = ()
    kernels: tuple[Kernel, ...] = ()
    output_code: str
    output_file: str = ""
    code_lines: tuple[CodeLine, ...]
    gpu_kernels: tuple[GpuKernel, ...] = ()
