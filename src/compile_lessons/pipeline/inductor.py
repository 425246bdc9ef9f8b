"""The Inductor stage: lowered IR before and after fusion, fusion decisions, buffer reuse, kernels and generated code.

Relies on ``torch/_inductor``: ``graph.py`` (one ``GraphLowering`` per ATen graph, and one for each body of an operator
such as ``torch.cond`` in it), ``scheduler.py`` (fusion), ``debug.py`` (the two IR logs, and the list of nodes in each
kernel that torch keeps for provenance), ``codegen/wrapper.py`` and ``codegen/common.py`` (kernels and buffers).
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import torch._inductor.ir as ir
from torch._inductor.graph import SubgraphLowering
from torch._inductor.virtualized import V
from torch.fx import GraphModule

from compile_lessons.facts import (
    CodeLine,
    Direction,
    FusedNode,
    FusionDecision,
    Graph,
    InductorGraph,
    IrNode,
    Kernel,
    Location,
    Reuse,
    qualified_nodes,
)
from compile_lessons.pipeline import fxgraph
from compile_lessons.pipeline.dynamo import DynamoWatch, compile_id
from compile_lessons.pipeline.hooks import Original
from compile_lessons.pipeline.kernels import (
    KernelLaunch,
    Notes,
    compiled_kernels,
    exact_origin,
    loaded,
    member_names,
    moved_bytes,
)
from compile_lessons.pipeline.locations import from_stack_trace

_TRACE_KERNEL = "set_kernel_post_grad_provenance_tracing"


class InductorWatch:
    """Inductor's graphs by compile id, in the order in which they were compiled."""

    HOOKS: ClassVar[dict[str, str]] = {
        "torch._inductor.compile_fx:fx_codegen_and_compile": "compile",
        "torch._inductor.debug:log_ir_pre_fusion": "before_fusion",
        "torch._inductor.debug:log_ir_post_fusion": "after_fusion",
        "torch._inductor.scheduler:Scheduler.can_fuse": "can_fuse",
        "torch._inductor.scheduler:WhyNoFuse.__call__": "why_not",
        "torch._inductor.codegen.wrapper:PythonWrapperCodegen.define_kernel": "define_kernel",
        "torch._inductor.codegen.wrapper:PythonWrapperCodegen.make_buffer_reuse": "reuse",
        "torch._inductor.codegen.common:KernelArgs.make_inplace": "in_place",
        f"torch._inductor.debug:{_TRACE_KERNEL}": "launch",
        f"torch._inductor.codegen.cpp:{_TRACE_KERNEL}": "launch",
        f"torch._inductor.codegen.triton:{_TRACE_KERNEL}": "launch",
        "torch._inductor.codegen.triton:TritonScheduling.define_kernel": "mixed_orders",
        "torch._inductor.scheduler:Scheduler.codegen_extern_call": "extern_call",
        "torch._inductor.graph:GraphLowering.run_node": "lower",
        "torch._inductor.graph:GraphLowering.compile_to_module": "to_module",
    }

    def __init__(self, dynamo: DynamoWatch) -> None:
        self.graphs: dict[str, list[InductorGraph]] = {}
        #: The user's line of the node whose lowering raised.
        self.failed_at: Location | None = None
        self._dynamo = dynamo
        self._notes: list[Notes] = []

    def compile(self, original: Original, module: Any, *args: Any, **kwargs: Any) -> Any:
        direction: Direction = "backward" if kwargs.get("is_backward") else "forward"
        self._notes.append(Notes("inference" if kwargs.get("is_inference") else direction))
        try:
            return original(module, *args, **kwargs)
        finally:
            self._notes.pop()

    def lower(self, original: Original, lowering: Any, node: Any) -> Any:
        try:
            return original(lowering, node)
        except Exception:
            self.failed_at = from_stack_trace(node.stack_trace)
            raise

    def before_fusion(self, original: Original, nodes: list[Any]) -> None:
        notes = self._notes[-1]
        names = _graph_names(V.graph)
        notes.ir += [_ir_node(node, names) for node in nodes]
        notes.lowerings |= {node.get_name(): V.graph for node in nodes}
        original(nodes)

    def after_fusion(self, original: Original, nodes: list[Any]) -> None:
        self._notes[-1].fused += [FusedNode(name=node.get_name(), members=member_names(node)) for node in nodes]
        original(nodes)

    def can_fuse(self, original: Original, scheduler: Any, first: Any, second: Any, *args: Any, **kwargs: Any) -> bool:
        notes = self._notes[-1]
        notes.members |= {node.get_name(): member_names(node) for node in (first, second)}
        pair = first.get_name(), second.get_name()
        notes.tried.pop(pair, None)
        possible = original(scheduler, first, second, *args, **kwargs)
        if possible:
            notes.tried[pair] = True, _relation(first, second)
        else:
            notes.tried.setdefault(pair, (False, "torch gave no reason"))
        return possible

    def why_not(self, original: Original, why: Any, reason: str, *args: Any) -> None:
        original(why, reason, *args)
        self._notes[-1].tried[why.name1, why.name2] = False, reason % args if args else reason

    def define_kernel(
        self, original: Original, wrapper: Any, kernel_name: str, kernel_body: str, *args: Any, **kwargs: Any
    ) -> Any:
        self._notes[-1].sources[kernel_name] = kernel_body
        return original(wrapper, kernel_name, kernel_body, *args, **kwargs)

    def reuse(self, original: Original, wrapper: Any, old: Any, new: Any, *args: Any, **kwargs: Any) -> Any:
        # A buffer that is written in place is reported again where it is allocated: the first report stays.
        self._notes[-1].reuses.setdefault((old.get_name(), new.get_name()), "reuse")
        return original(wrapper, old, new, *args, **kwargs)

    def in_place(self, original: Original, kernel_args: Any, input_name: str, output_name: str) -> None:
        self._notes[-1].reuses.setdefault((input_name, output_name), "in place")
        original(kernel_args, input_name, output_name)

    def launch(self, original: Original, nodes: Any, name: str, *args: Any, is_extern: bool = False) -> Any:
        self._launched(name, [nodes] if is_extern else nodes, is_extern)
        return original(nodes, name, *args, is_extern=is_extern)

    def mixed_orders(self, original: Original, scheduling: Any, source: str, nodes: Any, triton_kernel: Any) -> Any:
        """Note the call of a kernel that reduces along rows and columns, for which torch writes no note."""
        name = original(scheduling, source, nodes, triton_kernel)
        if getattr(triton_kernel, "mix_order_reduction", False):  # a combination of kernels has no such attribute
            self._launched(name, nodes)
        return name

    def extern_call(self, original: Original, scheduler: Any, node: Any) -> None:
        """Note a call for which torch writes no note of its own, such as that of a ``ScatterFallback``."""
        launches = self._notes[-1].launches
        before = len(launches)
        original(scheduler, node)
        name = called_function(node.node)
        if name and not any(node.get_name() in launch.nodes for launch in launches[before:]):
            self._launched(name, [node], extern=True)

    def _launched(self, name: str, nodes: Iterable[Any], extern: bool = False) -> None:
        self._notes[-1].launches.append(KernelLaunch(name, extern, _operation_names(nodes)))

    def to_module(self, original: Original, lowering: Any) -> Any:
        module = original(lowering)
        notes = self._notes[-1]
        # The names of the post-grad graph are those that the IR's origins refer to.
        post_grad = fxgraph.graph("post_grad", lowering.orig_gm, self._dynamo.frames[compile_id()].graph_id)
        launched = tuple(compiled_kernels(notes))
        with open(module.__file__, encoding="utf-8") as file:
            code = file.read()
        lowered = InductorGraph(
            direction=notes.direction,
            post_grad=post_grad,
            ir=tuple(notes.ir),
            fused=tuple(notes.fused),
            decisions=tuple(_decisions(notes, launched)),
            reuses=tuple(Reuse(old=old, new=new, kind=kind) for (old, new), kind in notes.reuses.items()),
            kernels=launched,
            output_code=code,
            output_file=module.__file__,
            code_lines=tuple(_code_lines(notes, launched, code, post_grad)),
        )
        self.graphs.setdefault(compile_id(), []).append(lowered)
        return module


def _graph_names(lowering: Any) -> dict[Any, str]:
    """Return the name of each FX graph: empty for the whole graph, ``true_graph_0.`` for a body of an operator."""
    while isinstance(lowering, SubgraphLowering):
        lowering = lowering.parent
    modules = lowering.orig_gm.named_modules()
    return {module.graph: f"{path}." if path else "" for path, module in modules if isinstance(module, GraphModule)}


def _ir_node(node: Any, names: dict[Any, str]) -> IrNode:
    operation = node.node
    data = getattr(operation, "data", None)
    return IrNode(
        name=node.get_name(),
        kind=type(data if isinstance(data, ir.Loops) else operation).__name__,
        buffers=tuple(buffer.get_name() for buffer in node.get_outputs()),
        reads=tuple(dict.fromkeys(dependency.name for dependency in loaded(node))),
        origins=_origins(node, names),
        bytes=moved_bytes(node),
        text=node.debug_str(),
    )


def _origins(node: Any, names: dict[Any, str]) -> tuple[str, ...]:
    """Return the post-grad nodes that a scheduler node computes: for an extern kernel the exact one, if torch knows it.

    While torch lowers the body of an operator, it adds the operator, and what led to it, to the origins of everything
    in the body. These are kept only for a node without an origin in the body itself. ``?.`` stands before an origin
    that is in no graph of ``names``.
    """
    exact = exact_origin(node.node) if isinstance(node.node, ir.ExternKernel) else None
    origins = [exact] if exact is not None else list(getattr(node.node, "origins", ()))
    in_body = [origin for origin in origins if origin.graph is V.graph.module.graph]
    return tuple(names.get(origin.graph, "?.") + origin.name for origin in in_body or origins)


def called_function(node: Any) -> str | None:
    """Return what an extern node calls; ``None`` if it unpacks a result, reads a scalar, or has bodies (``cond``).

    A ``DeviceCopy`` has no name of its own; torch writes the same call for ``aten.copy_``.
    """
    if isinstance(node, ir.DeviceCopy):
        return "aten.copy_"
    return node.try_get_kernel_name() if isinstance(node, ir.ExternKernel) else None


def _operation_names(nodes: Iterable[Any]) -> tuple[str, ...]:
    """Return the names of the nodes in a kernel's schedule, which also holds markers of Triton's code generator."""
    named = (node for node in nodes if hasattr(node, "get_name"))
    names = (node.get_operation_name() if isinstance(node, ir.Operation) else node.get_name() for node in named)
    return tuple(dict.fromkeys(names))


def _relation(first: Any, second: Any) -> str:
    """Tell a vertical from a horizontal fusion as ``Scheduler.can_fuse`` does."""
    if first.get_operation_names() & second.ancestors:
        return "vertical: the second reads what the first writes"
    return "horizontal: they read the same memory"


def _decisions(notes: Notes, launched: Sequence[Kernel]) -> Iterator[FusionDecision]:
    together = {name: node.name for node in notes.fused for name in node.members}
    for (first, second), (possible, reason) in notes.tried.items():
        if first == second:  # torch asks again for a pair that has become one node
            continue
        members = {member for name in (first, second) for member in notes.members.get(name, ())}
        fused = bool(members) and len({together.get(member) for member in members}) == 1
        kernels = (kernel.name for kernel in launched if members and members <= set(kernel.nodes))
        yield FusionDecision(
            first=first,
            second=second,
            fused=fused,
            reason=_reason(fused, possible, reason),
            kernel=next(kernels, ""),
        )


def _reason(fused: bool, possible: bool, reason: str) -> str:
    if fused == possible:
        return reason
    if fused:
        return f"not as a pair ({reason}), but by other fusions"
    return f"possible ({reason}), but not done; torch gave no reason"


def _code_lines(notes: Notes, launched: Sequence[Kernel], code: str, post_grad: Graph) -> Iterator[CodeLine]:
    """Yield the lines that call kernels. The calls of one kernel in one body are in the order of its launches."""
    places = {name: node.location for name, node in qualified_nodes(post_grad)}
    by_function: dict[tuple[str, str], list[Kernel]] = defaultdict(list)
    for launch, one in zip(notes.launches, launched, strict=True):
        by_function[notes.lowering(launch).name or "", launch.name].append(one)
    calls = _calls(code, {body for body, _ in by_function})
    called: list[tuple[int, Kernel]] = []
    for function, launches in by_function.items():
        # Where the numbers differ, nothing tells which call is which launch.
        if len(calls[function]) == len(launches):
            called += zip(sorted(calls[function]), launches, strict=True)
    for line, one in sorted(called, key=lambda call: call[0]):
        yield from (CodeLine(line=line, node=origin, location=places.get(origin)) for origin in one.origins)


def _calls(code: str, bodies: set[str]) -> dict[tuple[str, str], list[int]]:
    """Return the lines of calls in Python output code, by the function among ``bodies`` that calls, and by the callee.

    A wrapper in C++ (``cpp_wrapper``) is a string to Python, and has no calls.
    """
    lines: dict[tuple[str, str], list[int]] = defaultdict(list)
    for statement in ast.parse(code).body:
        body = statement.name if isinstance(statement, ast.FunctionDef) and statement.name in bodies else ""
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            lines[body, ast.unparse(call.func).removesuffix(".run")].append(call.lineno)
    return lines
