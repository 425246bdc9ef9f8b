"""FX graphs as data, shared by the Dynamo, AOTAutograd and Inductor stages.

Relies on the keys of ``torch.fx.Node.meta`` set by torch: ``example_value`` (Dynamo) and ``val`` (AOTAutograd) for
tensors, ``stack_trace``, ``from_node`` (``torch/fx/traceback.py``) and ``original_aten`` (``proxy_tensor.py``).
"""

import math
from collections.abc import Iterator
from typing import Any, cast

import torch
from torch.fx import GraphModule
from torch.fx.node import Node as FxNode
from torch.utils._pytree import tree_leaves

from compile_lessons.facts import Graph, GraphKind, Node, NodeOp, Subgraph, TensorMeta
from compile_lessons.pipeline.locations import from_stack_trace


def graph(kind: GraphKind, module: GraphModule, dynamo: int | None = None) -> Graph:
    """Return the graph of ``module`` as data.

    ``dynamo`` is the ``id`` of the Dynamo graph whose nodes the ``from_node`` chains lead to.
    """
    children = [(name, child) for name, child in module.named_children() if isinstance(child, GraphModule)]
    return Graph(
        kind=kind,
        code=module.print_readable(print_output=False),
        nodes=tuple(_node(node, dynamo) for node in module.graph.nodes),
        subgraphs=tuple(Subgraph(name=name, graph=graph(kind, child, dynamo)) for name, child in children),
    )


def _node(node: FxNode, dynamo: int | None) -> Node:
    target = _target(node)
    original = node.meta.get("original_aten")
    values = tree_leaves(node.meta.get("val", node.meta.get("example_value")))
    return Node(
        name=node.name,
        op=cast(NodeOp, node.op),
        target=target,
        args=_arguments(node),
        inputs=tuple(source.name for source in node.all_input_nodes),
        tensors=tuple(tensor_meta(value) for value in values if isinstance(value, torch.Tensor)),
        location=from_stack_trace(node.stack_trace),
        sources=tuple(dict.fromkeys(_sources(node.meta.get("from_node") or (), dynamo))),
        decomposed_from=str(original) if original is not None and str(original) != target else None,
    )


def _target(node: FxNode) -> str:
    """Return the callee as in generated code: ``torch.sin`` or ``aten.sin.default``."""
    if isinstance(node.target, (str, torch._ops.OpOverload, torch._ops.HigherOrderOperator)):
        return str(node.target)
    return node._pretty_print_target(node.target)


def _arguments(node: FxNode) -> str:
    if node.op in ("placeholder", "get_attr"):
        return ""
    keywords = [f"{name}={_argument(value)}" for name, value in node.kwargs.items()]
    return ", ".join([*map(_argument, node.args), *keywords])


def _argument(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)


def tensor_meta(tensor: torch.Tensor) -> TensorMeta:
    """Return shape, strides, dtype, device and bytes of a tensor."""
    shape = tuple(_dimension(size) for size in tensor.shape)
    sizes = [size for size in shape if isinstance(size, int)]
    stride = tuple(_dimension(step) for step in tensor.stride()) if tensor.layout is torch.strided else ()
    return TensorMeta(
        shape=shape,
        stride=stride,
        dtype=str(tensor.dtype).removeprefix("torch."),
        device=str(tensor.device),
        bytes=math.prod(sizes) * tensor.element_size() if len(sizes) == len(shape) else None,
    )


def _dimension(size: Any) -> int | str:
    return size if type(size) is int else str(size)


def _sources(chain: Any, dynamo: int | None) -> Iterator[str]:
    """Yield the names in the Dynamo graph that a ``from_node`` chain of ``NodeSource`` leads to."""
    for source in chain:
        if source.graph_id == dynamo:
            yield source.name
        yield from _sources(source.from_node, dynamo)
