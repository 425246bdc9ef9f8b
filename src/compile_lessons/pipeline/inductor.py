"""The Inductor stage: lowered IR before and after fusion, fusion decisions, buffer reuse, kernels and generated code.

Relies on ``torch/_inductor``: ``graph.py`` (one ``GraphLowering`` an ATen graph), ``scheduler.py`` (fusion),
``debug.py`` (the two IR logs, and the list of nodes in each kernel that torch keeps for provenance),
``codegen/wrapper.py`` and ``codegen/common.py`` (kernels and buffers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import torch._inductor.ir as ir
from torch._inductor.virtualized import V

from compile_lessons.pipeline import fxgraph
from compile_lessons.pipeline.dynamo import Watch as DynamoWatch
from compile_lessons.pipeline.dynamo import compile_id
from compile_lessons.pipeline.model import (
    CodeLine,
    FusedNode,
    FusionDecision,
    InductorGraph,
    IrNode,
    Kernel,
    Reuse,
)
from compile_lessons.pipeline.source import from_stack_trace

_TRACE_KERNEL = "set_kernel_post_grad_provenance_tracing"


@dataclass
class Notes:
    """What is learnt about one ATen graph while Inductor compiles it."""

    direction: str
    ir: list[IrNode] = field(default_factory=list)
    fused: list[FusedNode] = field(default_factory=list)
    tried: dict[tuple[str, str], str] = field(default_factory=dict)
    reuses: list[Reuse] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    launches: list[tuple[str, bool, tuple[str, ...]]] = field(default_factory=list)


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
        f"torch._inductor.codegen.cpp:{_TRACE_KERNEL}": "launch",
        f"torch._inductor.codegen.triton:{_TRACE_KERNEL}": "launch",
        "torch._inductor.graph:GraphLowering.codegen": "codegen",
        "torch._inductor.graph:GraphLowering.compile_to_module": "to_module",
    }

    def __init__(self, dynamo: DynamoWatch) -> None:
        self.graphs: dict[str, list[InductorGraph]] = {}
        self._dynamo = dynamo
        self._notes: list[Notes] = []
        self._line_map: list[tuple[int, Any]] = []
        self._post_grad: Any = None
        self._kernels: tuple[Kernel, ...] = ()

    def compile(self, original: Callable[..., Any], module: Any, *args: Any, **kwargs: Any) -> Any:
        direction = "backward" if kwargs.get("is_backward") else "forward"
        self._notes.append(Notes("inference" if kwargs.get("is_inference") else direction))
        try:
            return original(module, *args, **kwargs)
        finally:
            self._notes.pop()

    def before_fusion(self, original: Callable[..., Any], nodes: list[Any]) -> None:
        self._notes[-1].ir += [_ir_node(node) for node in nodes]
        original(nodes)

    def after_fusion(self, original: Callable[..., Any], nodes: list[Any]) -> None:
        self._notes[-1].fused += [FusedNode(node.get_name(), _members(node)) for node in nodes]
        original(nodes)

    def can_fuse(
        self, original: Callable[..., Any], scheduler: Any, first: Any, second: Any, *args: Any, **kwargs: Any
    ) -> bool:
        tried = self._notes[-1].tried
        pair = first.get_name(), second.get_name()
        tried.pop(pair, None)
        possible = original(scheduler, first, second, *args, **kwargs)
        if possible:
            tried[pair] = _relation(first, second)
        else:
            tried.setdefault(pair, "the backend refused and gave no reason")
        return possible

    def why_not(self, original: Callable[..., Any], why: Any, reason: str, *args: Any) -> None:
        original(why, reason, *args)
        self._notes[-1].tried[why.name1, why.name2] = reason % args if args else reason

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

    def launch(
        self, original: Callable[..., Any], nodes: Any, kernel_name: str, *args: Any, is_extern: bool = False
    ) -> Any:
        names = (nodes.get_operation_name(),) if is_extern else _operations(nodes)
        self._notes[-1].launches.append((kernel_name, is_extern, names))
        return original(nodes, kernel_name, *args, is_extern=is_extern)

    def codegen(self, original: Callable[..., Any], lowering: Any) -> Any:
        # The names of the post-grad graph are those that the IR's origins refer to.
        self._post_grad = fxgraph.graph("post_grad", lowering.orig_gm, self._dynamo.frames[compile_id()].graph_id)
        result = original(lowering)
        self._line_map = result[0].line_map
        self._kernels = _kernels(self._notes[-1])
        return result

    def to_module(self, original: Callable[..., Any], lowering: Any) -> Any:
        module = original(lowering)
        notes = self._notes[-1]
        with open(module.__file__, encoding="utf-8") as file:
            code = file.read()
        found = InductorGraph(
            notes.direction,
            self._post_grad,
            tuple(notes.ir),
            tuple(notes.fused),
            _decisions(notes),
            tuple(notes.reuses),
            self._kernels,
            code,
            module.__file__,
            tuple(CodeLine(line, node.name, from_stack_trace(node.stack_trace)) for line, node in self._line_map),
        )
        self.graphs.setdefault(compile_id(), []).append(found)
        return module


def _ir_node(node: Any) -> IrNode:
    found = node.node
    data = getattr(found, "data", None)
    kind = type(data).__name__ if isinstance(data, ir.Loops) else type(found).__name__
    return IrNode(
        node.get_name(),
        kind,
        tuple(buffer.get_name() for buffer in node.get_outputs()),
        tuple(dict.fromkeys(dependency.name for dependency in node.read_writes.reads)),
        _origins(node),
        node.debug_str(),
    )


def _origins(node: Any) -> tuple[str, ...]:
    return tuple(origin.name for origin in getattr(node.node, "origins", ()))


def _members(node: Any) -> tuple[str, ...]:
    return tuple(member.get_name() for member in node.get_nodes())


def _operations(nodes: Iterable[Any]) -> tuple[str, ...]:
    """Names of the scheduler nodes in a kernel's schedule, which also holds markers of Triton's code generator."""
    return tuple(dict.fromkeys(node.get_name() for node in nodes if hasattr(node, "get_name")))


def _relation(first: Any, second: Any) -> str:
    """The test by which ``Scheduler.can_fuse`` tells a vertical from a horizontal fusion."""
    if first.get_operation_names() & second.ancestors:
        return "vertical: the second reads what the first writes"
    return "horizontal: they read the same memory"


def _decisions(notes: Notes) -> tuple[FusionDecision, ...]:
    members = {node.name: (node.name,) for node in notes.ir}
    together = {name: node.name for node in notes.fused for name in node.members}

    def kernel_of(name: str) -> set[str]:
        """Where the parts of a node went; a fused node that was tried on the way is named after its parts."""
        parts = members.get(name) or [part for part in name.split("_") if part in together]
        return {together[part] for part in parts if part in together}

    return tuple(
        FusionDecision(first, second, bool(fused := kernel_of(first) & kernel_of(second)), _reason(bool(fused), reason))
        for (first, second), reason in notes.tried.items()
    )


def _reason(fused: bool, reason: str) -> str:
    possible = reason.startswith(("vertical", "horizontal"))
    return reason if fused == possible else f"{reason}; another fusion settled it"


def _kernels(notes: Notes) -> tuple[Kernel, ...]:
    scheduler = V.graph.scheduler
    fused = {member: node for node in scheduler.nodes for member in _members(node)}
    return tuple(_kernel(notes, fused, *launch) for launch in notes.launches)


def _kernel(notes: Notes, fused: dict[str, Any], name: str, extern: bool, operations: tuple[str, ...]) -> Kernel:
    found = [node for node in notes.ir if node.name in operations]
    nodes = list({id(fused[member]): fused[member] for member in operations if member in fused}.values())
    written = [buffer for node in found for buffer in node.buffers]
    read = [buffer for node in found for buffer in node.reads]
    flops = [count for count in (node.estimate_flops() for node in nodes) if count is not None]
    source = "" if extern else notes.sources.get(name, "")
    return Kernel(
        name,
        "extern" if extern else ("cpp" if "cpp_pybinding" in source else "triton"),
        tuple(node.name for node in found),
        tuple(dict.fromkeys(origin for node in found for origin in node.origins)),
        tuple(dict.fromkeys(buffer for buffer in read if buffer not in written)),
        tuple(buffer for buffer in written if buffer not in V.graph.removed_buffers),
        sum(node.get_read_write_buffers_sizes() for node in nodes) if nodes else None,
        int(sum(flops)) if flops else None,
        source,
    )
