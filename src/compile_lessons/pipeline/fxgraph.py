"""FX graphs as data, shared by the Dynamo, AOTAutograd and Inductor stages.

Relies on the keys of ``torch.fx.Node.meta`` set by torch: ``example_value`` (Dynamo) and ``val`` (AOTAutograd) for
tensors, ``stack_trace``, ``from_node`` (``torch/fx/traceback.py``) and ``original_aten`` (``proxy_tensor.py``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch.fx import GraphModule
from torch.fx.node import Node as FxNode

from compile_lessons.pipeline.model import Graph, Node, Subgraph, TensorMeta
from compile_lessons.pipeline.source import from_stack_trace


def graph(kind: str, module: GraphModule, dynamo: int | None = None) -> Graph:
    """The graph of ``module``. ``dynamo`` is the ``id`` of the Dynamo graph that ``from_node`` chains lead to."""
    children = [(name, child) for name, child in module.named_children() if isinstance(child, GraphModule)]
    return Graph(
        kind,
        module.print_readable(print_output=False),
        tuple(_node(node, dynamo) for node in module.graph.nodes),
        tuple(Subgraph(name, graph(kind, child, dynamo)) for name, child in children),
    )


def named(graph: Graph, prefix: str = "") -> Iterator[tuple[str, Node]]:
    """All nodes with their names; a node of a subgraph is named after it too: ``true_graph_0.mm``."""
    for node in graph.nodes:
        yield prefix + node.name, node
    for part in graph.subgraphs:
        yield from named(part.graph, f"{prefix}{part.name}.")


def _node(node: FxNode, dynamo: int | None) -> Node:
    target = _target(node)
    original = node.meta.get("original_aten")
    return Node(
        name=node.name,
        op=node.op,
        target=target,
        args=_arguments(node),
        inputs=tuple(source.name for source in node.all_input_nodes),
        tensors=tuple(_tensors(node.meta.get("val", node.meta.get("example_value")))),
        location=from_stack_trace(node.stack_trace),
        sources=tuple(dict.fromkeys(_sources(node.meta.get("from_node") or (), dynamo))),
        decomposed_from=str(original) if original is not None and str(original) != target else None,
    )


def _target(node: FxNode) -> str:
    """The callee as in generated code: ``torch.sin`` or ``aten.sin.default``, not ``<built-in method sin …>``."""
    if isinstance(node.target, str):
        return node.target
    if isinstance(node.target, (torch._ops.OpOverload, torch._ops.HigherOrderOperator)):
        return str(node.target)
    return node._pretty_print_target(node.target)


def _arguments(node: FxNode) -> str:
    if node.op in ("placeholder", "get_attr"):
        return ""
    parts = [_short(value) for value in node.args]
    return ", ".join(parts + [f"{name}={_short(value)}" for name, value in node.kwargs.items()])


def _short(value: Any) -> str:
    return str(value) if not isinstance(value, str) else repr(value)


def _tensors(value: Any) -> Iterator[TensorMeta]:
    if isinstance(value, torch.Tensor):
        yield tensor_meta(value)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _tensors(item)


def tensor_meta(tensor: torch.Tensor) -> TensorMeta:
    shape = tuple(_dimension(size) for size in tensor.shape)
    static = all(isinstance(size, int) for size in shape)
    stride = tuple(_dimension(step) for step in tensor.stride()) if tensor.layout is torch.strided else ()
    return TensorMeta(
        shape,
        stride,
        str(tensor.dtype).removeprefix("torch."),
        str(tensor.device),
        math.prod(shape) * tensor.element_size() if static else None,
    )


def _dimension(size: Any) -> int | str:
    return size if type(size) is int else str(size)


def _sources(chain: Any, dynamo: int | None) -> Iterator[str]:
    """The names, in the Dynamo graph, that a ``from_node`` chain of ``NodeSource`` ends in."""
    for source in chain:
        if source.graph_id == dynamo:
            yield source.name
        yield from _sources(source.from_node, dynamo)
