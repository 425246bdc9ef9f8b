"""The Inductor stage: lowered IR before and after fusion, fusion decisions, buffer reuse, kernels and generated code.

Relies on ``torch/_inductor``: ``graph.py`` (one ``GraphLowering`` an ATen graph, and one for each body of an operator
such as ``torch.cond`` in it), ``scheduler.py`` (fusion), ``debug.py`` (the two IR logs, and the list of nodes in each
kernel that torch keeps for provenance), ``codegen/wrapper.py`` and ``codegen/common.py`` (kernels and buffers).
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

import torch._inductor.ir as ir
from torch._inductor.dependencies import MemoryDep, StarDep
from torch._inductor.fx_utils import count_flops_fx
from torch._inductor.graph import SubgraphLowering
from torch._inductor.scheduler import OutputNode, SchedulerNode
from torch._inductor.virtualized import V
from torch.fx import GraphModule
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
from torch.utils._ordered_set import OrderedSet

from compile_lessons.pipeline import fxgraph
from compile_lessons.pipeline.dynamo import Watch as DynamoWatch
from compile_lessons.pipeline.dynamo import compile_id
from compile_lessons.pipeline.model import (
    CodeLine,
    FusedNode,
    FusionDecision,
    Graph,
    InductorGraph,
    IrNode,
    Kernel,
    Location,
    Reuse,
)
from compile_lessons.pipeline.source import from_stack_trace

_TRACE_KERNEL = "set_kernel_post_grad_provenance_tracing"


@dataclass
class Launch:
    """A call of a kernel: its name and kind, and the scheduler nodes it computes."""

    name: str
    kind: str
    nodes: tuple[str, ...]


@dataclass
class Notes:
    """What is learnt about one ATen graph, and the bodies of operators in it, while Inductor compiles it.

    ``lowerings`` are the lowering that each scheduler node belongs to, ``members`` what each node that was tried for
    fusion was made of, and ``tried`` the last answer for each pair: whether it can be fused, and why (or why not).
    """

    direction: str
    post_grad: Graph | None = None
    ir: list[IrNode] = field(default_factory=list)
    lowerings: dict[str, Any] = field(default_factory=dict)
    fused: list[FusedNode] = field(default_factory=list)
    members: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tried: dict[tuple[str, str], tuple[bool, str]] = field(default_factory=dict)
    reuses: list[Reuse] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    launches: list[Launch] = field(default_factory=list)
    kernels: tuple[Kernel, ...] = ()


class Watch:
    """Inductor's graphs by compile id, in the order in which they were compiled."""

    HOOKS = {  # noqa: RUF012
        "torch._inductor.compile_fx:fx_codegen_and_compile": "compile",
        "torch._inductor.debug:log_ir_pre_fusion": "before_fusion",
        "torch._inductor.debug:log_ir_post_fusion": "after_fusion",
        "torch._inductor.scheduler:Scheduler.can_fuse": "can_fuse",
        "torch._inductor.scheduler:WhyNoFuse.__call__": "why_not",
        "torch._inductor.codegen.wrapper:PythonWrapperCodegen.define_kernel": "define_kernel",
        "torch._inductor.codegen.wrapper:PythonWrapperCodegen.make_buffer_reuse": "reuse",
        "torch._inductor.codegen.common:KernelArgs.make_inplace": "in_place",
        f"torch._inductor.debug:{_TRACE_KERNEL}": "launch",
        f"torch._inductor.codegen.cpp:{_TRACE_KERNEL}": "launch_cpp",
        f"torch._inductor.codegen.triton:{_TRACE_KERNEL}": "launch_triton",
        "torch._inductor.scheduler:Scheduler.codegen_extern_call": "extern_call",
        "torch._inductor.graph:GraphLowering.run_node": "lower",
        "torch._inductor.graph:GraphLowering.codegen": "codegen",
        "torch._inductor.graph:GraphLowering.compile_to_module": "to_module",
    }

    def __init__(self, dynamo: DynamoWatch) -> None:
        self.graphs: dict[str, list[InductorGraph]] = {}
        #: The user's line of the node whose lowering raised.
        self.failed_at: Location | None = None
        self._dynamo = dynamo
        self._notes: list[Notes] = []

    def compile(self, original: Callable[..., Any], module: Any, *args: Any, **kwargs: Any) -> Any:
        direction = "backward" if kwargs.get("is_backward") else "forward"
        self._notes.append(Notes("inference" if kwargs.get("is_inference") else direction))
        try:
            return original(module, *args, **kwargs)
        finally:
            self._notes.pop()

    def lower(self, original: Callable[..., Any], lowering: Any, node: Any) -> Any:
        try:
            return original(lowering, node)
        except Exception:
            self.failed_at = from_stack_trace(node.stack_trace)
            raise

    def before_fusion(self, original: Callable[..., Any], nodes: list[Any]) -> None:
        notes = self._notes[-1]
        names = _graph_names(V.graph)
        notes.ir += [_ir_node(node, names) for node in nodes]
        notes.lowerings |= {node.get_name(): V.graph for node in nodes}
        original(nodes)

    def after_fusion(self, original: Callable[..., Any], nodes: list[Any]) -> None:
        self._notes[-1].fused += [FusedNode(node.get_name(), _members(node)) for node in nodes]
        original(nodes)

    def can_fuse(
        self, original: Callable[..., Any], scheduler: Any, first: Any, second: Any, *args: Any, **kwargs: Any
    ) -> bool:
        notes = self._notes[-1]
        notes.members |= {node.get_name(): _members(node) for node in (first, second)}
        pair = first.get_name(), second.get_name()
        notes.tried.pop(pair, None)
        possible = original(scheduler, first, second, *args, **kwargs)
        if possible:
            notes.tried[pair] = True, _relation(first, second)
        else:
            notes.tried.setdefault(pair, (False, "torch gave no reason"))
        return possible

    def why_not(self, original: Callable[..., Any], why: Any, reason: str, *args: Any) -> None:
        original(why, reason, *args)
        self._notes[-1].tried[why.name1, why.name2] = False, reason % args if args else reason

    def define_kernel(
        self, original: Callable[..., Any], wrapper: Any, kernel_name: str, kernel_body: str, *args: Any, **kwargs: Any
    ) -> Any:
        self._notes[-1].sources[kernel_name] = kernel_body
        return original(wrapper, kernel_name, kernel_body, *args, **kwargs)

    def reuse(self, original: Callable[..., Any], wrapper: Any, old: Any, new: Any, *args: Any, **kwargs: Any) -> Any:
        self._reused(old.get_name(), new.get_name(), "reuse")
        return original(wrapper, old, new, *args, **kwargs)

    def in_place(self, original: Callable[..., Any], kernel_args: Any, input_name: str, output_name: str) -> None:
        self._reused(input_name, output_name, "in place")
        original(kernel_args, input_name, output_name)

    def _reused(self, old: str, new: str, kind: str) -> None:
        """A buffer written in place is also reused where it is allocated: the first finding is kept."""
        reuses = self._notes[-1].reuses
        if not any((found.old, found.new) == (old, new) for found in reuses):
            reuses.append(Reuse(old, new, kind))

    def launch(self, original: Callable[..., Any], nodes: Any, name: str, *args: Any, is_extern: bool = False) -> Any:
        """A call of an extern kernel, or of one by a backend other than C++ and Triton."""
        self._launched(name, "extern" if is_extern else "other", [nodes] if is_extern else nodes)
        return original(nodes, name, *args, is_extern=is_extern)

    def launch_cpp(self, original: Callable[..., Any], nodes: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        self._launched(name, "cpp", nodes)
        return original(nodes, name, *args, **kwargs)

    def launch_triton(self, original: Callable[..., Any], nodes: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        self._launched(name, "triton", nodes)
        return original(nodes, name, *args, **kwargs)

    def extern_call(self, original: Callable[..., Any], scheduler: Any, node: Any) -> None:
        """For some extern kernels, such as ``ScatterFallback``, torch writes the call without its own note for it."""
        launches = self._notes[-1].launches
        before = len(launches)
        original(scheduler, node)
        name = _called(node.node)
        if name and not any(node.get_name() in launch.nodes for launch in launches[before:]):
            self._launched(name, "extern", [node])

    def _launched(self, name: str, kind: str, nodes: Iterable[Any]) -> None:
        self._notes[-1].launches.append(Launch(name, kind, _operations(nodes)))

    def codegen(self, original: Callable[..., Any], lowering: Any) -> Any:
        """Bodies of operators are generated while the graph they are part of is; what is noted is the graph's."""
        if isinstance(lowering, SubgraphLowering):
            return original(lowering)
        notes = self._notes[-1]
        # The names of the post-grad graph are those that the IR's origins refer to.
        notes.post_grad = fxgraph.graph("post_grad", lowering.orig_gm, self._dynamo.frames[compile_id()].graph_id)
        result = original(lowering)
        notes.kernels = _kernels(notes)
        return result

    def to_module(self, original: Callable[..., Any], lowering: Any) -> Any:
        module = original(lowering)
        notes = self._notes[-1]
        with open(module.__file__, encoding="utf-8") as file:
            code = file.read()
        found = InductorGraph(
            notes.direction,
            notes.post_grad,
            tuple(notes.ir),
            tuple(notes.fused),
            tuple(_decisions(notes)),
            tuple(notes.reuses),
            notes.kernels,
            code,
            module.__file__,
            tuple(_code_lines(notes, code)),
        )
        self.graphs.setdefault(compile_id(), []).append(found)
        return module


def _graph_names(lowering: Any) -> dict[Any, str]:
    """The names of the FX graphs: empty for the whole graph, ``true_graph_0.`` for a body of an operator in it."""
    while isinstance(lowering, SubgraphLowering):
        lowering = lowering.parent
    modules = lowering.orig_gm.named_modules()
    return {module.graph: f"{path}." if path else "" for path, module in modules if isinstance(module, GraphModule)}


def _ir_node(node: Any, names: dict[Any, str]) -> IrNode:
    found = node.node
    data = getattr(found, "data", None)
    kind = type(data).__name__ if isinstance(data, ir.Loops) else type(found).__name__
    return IrNode(
        node.get_name(),
        kind,
        tuple(buffer.get_name() for buffer in node.get_outputs()),
        tuple(dict.fromkeys(dependency.name for dependency in _reads(node))),
        _origins(node, names),
        node.debug_str(),
    )


def _reads(node: Any) -> list[Any]:
    """The dependencies of a scheduler node that it loads. The others are only there for the order.

    The scheduler adds the latter: a ``WeakDep``, or a ``StarDep`` that the IR itself lacks. Such a one of a buffer that
    is written in place is a load all the same if what is written is added to it.
    """
    nodes = node.get_nodes()
    own = {read.rename(part.mutation_renames) for part in nodes for read in part.node.get_read_writes().reads}
    return [
        read
        for read in node.read_writes.reads
        if isinstance(read, MemoryDep) or (isinstance(read, StarDep) and (read in own or read.mode == "atomic_add"))
    ]


def _origins(node: Any, names: dict[Any, str]) -> tuple[str, ...]:
    """The post-grad nodes a scheduler node computes: of an extern kernel, its exact origin where torch knows it.

    A body is lowered while the operator it belongs to is, and torch adds that operator, and what led to it, to the
    origins of all that is in the body. They are kept only for a node without an origin in the body itself.
    ``?.`` is before an origin that is in no graph of ``names``.
    """
    exact = _exact_origin(node.node) if isinstance(node.node, ir.ExternKernel) else None
    origins = [exact] if exact is not None else list(getattr(node.node, "origins", ()))
    own = [origin for origin in origins if origin.graph is V.graph.module.graph]
    return tuple(names.get(origin.graph, "?.") + origin.name for origin in own or origins)


def _exact_origin(kernel: Any) -> Any:
    """The post-grad node that an extern kernel or a template computes, if torch knows it.

    An extern kernel that writes in place or has several results lacks an ``origin_node``, but has the node that was
    lowered when it was made. One made later, as by autotuning, has another node there, not among its origins.
    """
    if kernel.origin_node is not None:
        return kernel.origin_node
    lowered = kernel.fx_node if isinstance(kernel, ir.ExternKernel) else None
    found = [origin for origin in kernel.origins if origin is lowered] or list(kernel.origins)
    return found[0] if len(found) == 1 else None


def _called(node: Any) -> str | None:
    """What an extern node calls. None for one that takes a result apart, reads a scalar, or has bodies (``cond``).

    A ``DeviceCopy`` has no name of its own; torch writes the same call for ``aten.copy_``.
    """
    if isinstance(node, ir.DeviceCopy):
        return "aten.copy_"
    return node.try_get_kernel_name() if isinstance(node, ir.ExternKernel) else None


def _members(node: Any) -> tuple[str, ...]:
    return tuple(member.get_name() for member in node.get_nodes())


def _operations(nodes: Iterable[Any]) -> tuple[str, ...]:
    """Names of the nodes in a kernel's schedule, which also holds markers of Triton's code generator."""
    return tuple(dict.fromkeys(_operation(node) for node in nodes if hasattr(node, "get_name")))


def _operation(node: Any) -> str:
    return node.get_operation_name() if isinstance(node, ir.Operation) else node.get_name()


def _relation(first: Any, second: Any) -> str:
    """The test by which ``Scheduler.can_fuse`` tells a vertical from a horizontal fusion."""
    if first.get_operation_names() & second.ancestors:
        return "vertical: the second reads what the first writes"
    return "horizontal: they read the same memory"


def _decisions(notes: Notes) -> Iterator[FusionDecision]:
    together = {name: node.name for node in notes.fused for name in node.members}
    for (first, second), (possible, reason) in notes.tried.items():
        if first == second:  # torch asks again for a pair that has become one node
            continue
        parts = {part for name in (first, second) for part in notes.members.get(name, ())}
        fused = bool(parts) and len({together.get(part) for part in parts}) == 1
        kernels = (kernel.name for kernel in notes.kernels if parts and parts <= set(kernel.nodes))
        yield FusionDecision(first, second, fused, _reason(fused, possible, reason), next(kernels, ""))


def _reason(fused: bool, possible: bool, reason: str) -> str:
    if fused == possible:
        return reason
    if fused:
        return f"not as a pair ({reason}), but by other fusions"
    return f"possible ({reason}), but not done; torch gave no reason"


def _kernels(notes: Notes) -> tuple[Kernel, ...]:
    lowerings = {id(lowering): lowering for lowering in notes.lowerings.values()}.values()
    fused = {member: node for one in lowerings for node in one.scheduler.nodes for member in _members(node)}
    return tuple(_kernel(notes, fused, launch) for launch in notes.launches)


def _kernel(notes: Notes, fused: dict[str, Any], launch: Launch) -> Kernel:
    found = [node for node in notes.ir if node.name in launch.nodes]
    nodes = list({id(fused[member]): fused[member] for member in launch.nodes if member in fused}.values())
    written = _written(notes, found)
    read = [buffer for node in found for buffer in node.reads]
    lowering = _lowering(notes, launch)
    with V.set_graph_handler(lowering):  # sizes of buffers are looked up in the graph of the moment
        flops = [count for count in (_flops(part) for node in nodes for part in node.get_nodes()) if count is not None]
        moved = [_bytes(node) for node in nodes]
    return Kernel(
        launch.name,
        launch.kind,
        tuple(node.name for node in found),
        tuple(dict.fromkeys(origin for node in found for origin in node.origins)),
        _real_names(lowering, (buffer for buffer in read if buffer not in written)),
        _real_names(lowering, (buffer for buffer in written if buffer not in lowering.removed_buffers)),
        sum(moved) if moved and None not in moved else None,
        int(sum(flops)) if flops else None,
        "" if launch.kind == "extern" else notes.sources.get(launch.name, ""),
    )


def _written(notes: Notes, found: list[IrNode]) -> list[str]:
    """The buffers that the nodes write, and each concatenation of which they write all parts, which are views of it."""
    written = [buffer for node in found for buffer in node.buffers]
    for node in notes.ir:
        if node.kind == "ConcatKernel" and set(node.reads) <= set(written):
            written += node.buffers
    return written


def _real_names(lowering: Any, buffers: Iterable[str]) -> tuple[str, ...]:
    """The names in the output code: to the scheduler, what is written in place has a new name for each time.

    An operator that returns nothing has a buffer all the same, without memory.
    """
    real = lowering.scheduler.mutation_real_name
    there = (name for name in buffers if name in real or not _is_nothing(lowering, name))
    return tuple(dict.fromkeys(real.get(name, name) for name in there))


def _is_nothing(lowering: Any, buffer: str) -> bool:
    found = lowering.try_get_buffer(buffer)
    return isinstance(found, ir.Buffer) and isinstance(found.layout, ir.NoneLayout)


def _bytes(node: Any) -> int | None:
    """Torch's estimate, but of what is loaded alone: its own also counts what is there for the order.

    It takes a size that only the run will tell to be 0. Here the whole then is not known.
    """
    without_order = copy(node)
    without_order.read_writes = replace(node.read_writes, reads=OrderedSet(_reads(node)))
    moved = without_order.get_read_write_buffer_accesses(include_reads=True, include_writes=True)
    sizes = [size for buffer in moved for size in _sizes(node.scheduler, buffer)]
    ranges = [part.get_ranges() for part in node.get_nodes() if isinstance(part, SchedulerNode)]
    return None if free_unbacked_symbols([sizes, ranges]) else sum(moved.values())


def _sizes(scheduler: Any, name: str) -> Iterator[Any]:
    """The size of a buffer, or those of the parts of a result that is a tuple."""
    buffer = V.graph.get_buffer(name)
    if isinstance(buffer, ir.Buffer) and isinstance(buffer.layout, ir.MultiOutputLayout):
        parts = (user.node.node for user in scheduler.name_to_buf[name].users if not isinstance(user.node, OutputNode))
        yield from (part.get_size() for part in parts if isinstance(part, ir.MultiOutput))
    else:
        yield buffer.maybe_get_size() or ()


def _flops(node: Any) -> int | None:
    """What torch counts for the operator that an extern kernel or a template computes.

    For a layout's sake Inductor may copy what an extern kernel returns. The copy then is torch's ``origin_node``, which
    the kernel lacks.
    """
    if not (node.is_extern() or node.is_template()):
        return None
    if node.node.origin_node is not None:
        return node.estimate_flops()
    origin = _exact_origin(node.node)
    found = None if origin is None else count_flops_fx(origin)
    return found if isinstance(found, int) else None


def _lowering(notes: Notes, launch: Launch) -> Any:
    return next((notes.lowerings[name] for name in launch.nodes if name in notes.lowerings), V.graph)


def _code_lines(notes: Notes, code: str) -> Iterator[CodeLine]:
    """The lines that call kernels. The calls of one kernel in one body stand in the order of its launches."""
    places = {name: node.location for name, node in fxgraph.named(notes.post_grad)}
    launched: dict[tuple[str, str], list[Kernel]] = defaultdict(list)
    for launch, kernel in zip(notes.launches, notes.kernels, strict=True):
        launched[_lowering(notes, launch).name or "", launch.name].append(kernel)
    calls = _calls(code, {body for body, _ in launched})
    found = []
    for called, kernels in launched.items():
        # Where the numbers differ, which call is which launch is not known.
        if len(calls[called]) == len(kernels):
            found += [(line, kernel) for line, kernel in zip(calls[called], kernels, strict=True)]
    for line, kernel in sorted(found, key=lambda item: item[0]):
        yield from (CodeLine(line, origin, places.get(origin)) for origin in kernel.origins)


def _calls(code: str, bodies: set[str]) -> dict[tuple[str, str], list[int]]:
    """Lines of the calls in Python output code, by the function among ``bodies`` that they are in, and what is called.

    A wrapper in C++ (``cpp_wrapper``) is a string to Python, and has none.
    """
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for part in ast.parse(code).body:
        body = part.name if isinstance(part, ast.FunctionDef) and part.name in bodies else ""
        for call in (node for node in ast.walk(part) if isinstance(node, ast.Call)):
            found[body, ast.unparse(call.func).removesuffix(".run")].append(call.lineno)
    return defaultdict(list, {called: sorted(lines) for called, lines in found.items()})
