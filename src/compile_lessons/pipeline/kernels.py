"""Facts about kernels: what each loads and stores, its bytes and floating-point operations, and what it computes.

Relies on ``torch/_inductor``: the dependencies of scheduler nodes (``dependencies.py``), the scheduler's estimate of
memory traffic (``scheduler.py``, ``get_read_write_buffer_accesses``) and torch's count of operations (``fx_utils.py``).
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import sympy
import torch._inductor.ir as ir
from torch._inductor.dependencies import MemoryDep, StarDep
from torch._inductor.fx_utils import count_flops_fx
from torch._inductor.scheduler import OutputNode, SchedulerNode
from torch._inductor.virtualized import V
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
from torch.utils._ordered_set import OrderedSet

from compile_lessons.facts import Direction, FusedNode, IrNode, Kernel, KernelKind, total


@dataclass
class KernelLaunch:
    """A call of a kernel: its name, whether it is an extern one, and the scheduler nodes it computes."""

    name: str
    extern: bool
    nodes: tuple[str, ...]


@dataclass
class Notes:
    """Notes on one ATen graph, and the bodies of operators in it, while Inductor compiles it.

    ``lowerings`` is the lowering that each scheduler node belongs to. ``members`` are the nodes fused in each node that
    was tried for fusion. ``tried`` has the last answer for each pair: whether it can be fused, and why or why not.
    ``sources`` are the kernels' definitions by name.
    """

    direction: Direction
    ir: list[IrNode] = field(default_factory=list)
    lowerings: dict[str, Any] = field(default_factory=dict)
    fused: list[FusedNode] = field(default_factory=list)
    members: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tried: dict[tuple[str, str], tuple[bool, str]] = field(default_factory=dict)
    reuses: dict[tuple[str, str], Literal["reuse", "in place"]] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    launches: list[KernelLaunch] = field(default_factory=list)

    def lowering(self, launch: KernelLaunch) -> Any:
        """Return the lowering that a launched kernel belongs to: the graph's, or that of a body of an operator."""
        return next((self.lowerings[name] for name in launch.nodes if name in self.lowerings), V.graph)


#: What tells the kind of a kernel in its definition. Under ``cpp_wrapper`` a kernel in C++ is defined in bare C++.
_MARKS: dict[str, KernelKind] = {"async_compile.triton(": "triton", "async_compile.cpp": "cpp", "#include": "cpp"}


def compiled_kernels(notes: Notes) -> Iterator[Kernel]:
    lowerings = {id(lowering): lowering for lowering in notes.lowerings.values()}.values()
    scheduled = {
        name: node for lowering in lowerings for node in lowering.scheduler.nodes for name in member_names(node)
    }
    for launch in notes.launches:
        yield _kernel(launch, notes, scheduled)


def _kernel(launch: KernelLaunch, notes: Notes, scheduled: dict[str, Any]) -> Kernel:
    """Return the facts about a launched kernel. ``scheduled`` has the node after fusion that each node is part of."""
    computed = [node for node in notes.ir if node.name in launch.nodes]
    after_fusion = list({id(scheduled[name]): scheduled[name] for name in launch.nodes if name in scheduled}.values())
    written = _written(notes.ir, computed)
    read = [buffer for node in computed for buffer in node.reads]
    lowering = notes.lowering(launch)
    source = "" if launch.extern else notes.sources.get(launch.name, "")
    kinds = (kind for mark, kind in _MARKS.items() if mark in source)
    with V.set_graph_handler(lowering):  # sizes of buffers are looked up in the current graph
        counts = [_flops(member) for node in after_fusion for member in node.get_nodes()]
        traffic = [moved_bytes(node) for node in after_fusion]
    flops = [count for count in counts if count is not None]
    return Kernel(
        name=launch.name,
        kind="extern" if launch.extern else next(kinds, "other"),
        nodes=tuple(node.name for node in computed),
        origins=tuple(dict.fromkeys(origin for node in computed for origin in node.origins)),
        loads=_real_names(lowering, (buffer for buffer in read if buffer not in written)),
        stores=_real_names(lowering, (buffer for buffer in written if buffer not in lowering.removed_buffers)),
        bytes=total(traffic) if traffic else None,
        flops=int(sum(flops)) if flops else None,
        source=source,
    )


def member_names(node: Any) -> tuple[str, ...]:
    """Return the names that the parts of a scheduler node had before fusion."""
    return tuple(member.get_name() for member in node.get_nodes())


def loaded(node: Any) -> list[Any]:
    """Return the dependencies of a scheduler node that it loads. The others only keep the order.

    The scheduler adds those for the order: a ``WeakDep``, or a ``StarDep`` that the IR itself does not have. Such a
    ``StarDep`` of a buffer that is written in place is a load all the same if what is written is added to it.
    """
    members = node.get_nodes()
    own = {read.rename(member.mutation_renames) for member in members for read in member.node.get_read_writes().reads}
    return [
        read
        for read in node.read_writes.reads
        if isinstance(read, MemoryDep) or (isinstance(read, StarDep) and (read in own or read.mode == "atomic_add"))
    ]


def exact_origin(kernel: Any) -> Any:
    """Return the post-grad node that an extern kernel or a template computes; ``None`` if torch does not know it.

    An extern kernel that writes in place or has several results has no ``origin_node``, but it has the node that was
    being lowered when it was created. In a kernel created later, as by autotuning, that node is not among the origins.
    """
    if kernel.origin_node is not None:
        return kernel.origin_node
    lowered = kernel.fx_node if isinstance(kernel, ir.ExternKernel) else None
    origins = [origin for origin in kernel.origins if origin is lowered] or list(kernel.origins)
    return origins[0] if len(origins) == 1 else None


def _written(ir_nodes: Sequence[IrNode], computed: list[IrNode]) -> list[str]:
    """Return the buffers that the nodes write, and the concatenations of which they write every part."""
    written = [buffer for node in computed for buffer in node.buffers]
    for node in ir_nodes:
        if node.kind == "ConcatKernel" and set(node.reads) <= set(written):
            written += node.buffers
    return written


def _real_names(lowering: Any, buffers: Iterable[str]) -> tuple[str, ...]:
    """Return the names in the output code. Each time a buffer is written in place, the scheduler gives it a new name.

    The buffer of an operator that returns nothing has no memory, and is left out.
    """
    real = lowering.scheduler.mutation_real_name
    in_memory = (name for name in buffers if name in real or not _has_no_memory(lowering, name))
    return tuple(dict.fromkeys(real.get(name, name) for name in in_memory))


def _has_no_memory(lowering: Any, name: str) -> bool:
    buffer = lowering.try_get_buffer(name)
    return isinstance(buffer, ir.Buffer) and isinstance(buffer.layout, ir.NoneLayout)


def moved_bytes(node: Any) -> int | None:
    """Return torch's estimate of memory traffic, without the dependencies that only keep the order.

    Torch counts whole buffers where nodes are fused. Here a buffer is counted up to the elements that the nodes index.
    Torch takes a size that is unknown until the kernel runs for 0. Here the whole number is ``None`` then.
    A buffer that was written in place has a new name, which has the size of the part that was written. Where another
    kernel reads the buffer, it is counted by its first name.
    """
    without_order = copy(node)
    without_order.read_writes = replace(node.read_writes, reads=OrderedSet(_reads(node)))
    moved: dict[str, int] = without_order.get_read_write_buffer_accesses(include_reads=True, include_writes=True)
    sizes = [size for buffer in moved for size in _sizes(node.scheduler, buffer)]
    ranges = [member.get_ranges() for member in node.get_nodes() if isinstance(member, SchedulerNode)]
    if free_unbacked_symbols([sizes, ranges]):
        return None
    accesses = without_order.read_writes.reads | without_order.read_writes.writes
    indexed = {name: [access for access in accesses if access.name == name] for name in moved}
    return sum(min([moved[name], *_indexed_bytes(accesses)]) for name, accesses in indexed.items())


def _reads(node: Any) -> Iterator[Any]:
    """Yield what is loaded, by the names that are counted. What is added to is read where the sum is written."""
    writes, first_names = node.read_writes.writes, node.scheduler.mutation_real_name
    written = {write.name for write in writes}
    for read in loaded(node):
        first = first_names.get(read.name, read.name)
        name = read.name if read.name in written else first
        sums = [write for write in writes if write.mode == read.mode and first_names.get(write.name) == first]
        for access in sums if read.mode == "atomic_add" and sums else [read]:
            yield access.rename({access.name: name})


def _indexed_bytes(accesses: list[Any]) -> Iterator[int]:
    """Yield the bytes that all accesses of one buffer index; nothing if one of them names no elements.

    Accesses that index the same elements in the same order are one. Where the index is data, it has as many values as
    the loops have steps.
    """
    if all(isinstance(access, MemoryDep) for access in accesses):
        yield sum(_bytes(access) for access in accesses)


def _bytes(access: MemoryDep) -> int:
    index = sympy.Add(*access.var_names) if access.is_indirect() else access.index
    return int(replace(access, index=index).numbytes_hint())


def _sizes(scheduler: Any, name: str) -> Iterator[Any]:
    """Yield the size of a buffer, or the sizes of the items of a result that is a tuple."""
    buffer = V.graph.get_buffer(name)
    if isinstance(buffer, ir.Buffer) and isinstance(buffer.layout, ir.MultiOutputLayout):
        items = (user.node.node for user in scheduler.name_to_buf[name].users if not isinstance(user.node, OutputNode))
        yield from (item.get_size() for item in items if isinstance(item, ir.MultiOutput))
    else:
        yield buffer.maybe_get_size() or ()


def _flops(node: Any) -> int | None:
    """Return torch's count for the operator that an extern kernel or a template computes; ``None`` for other nodes.

    Inductor may copy the result of an extern kernel to change its layout. Torch's ``origin_node`` then is that of the
    copy, and the kernel has none.
    """
    if not (node.is_extern() or node.is_template()):
        return None
    if node.node.origin_node is not None:
        return node.estimate_flops()
    origin = exact_origin(node.node)
    flops = None if origin is None else count_flops_fx(origin)
    return flops if isinstance(flops, int) else None
