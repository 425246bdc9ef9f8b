"""One ATen graph in Inductor: scheduler nodes, fusion decisions, kernels and the output code."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from compile_lessons.facts.gpu import GpuKernel
from compile_lessons.facts.graphs import Graph
from compile_lessons.facts.part import Part
from compile_lessons.facts.source import Location

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
