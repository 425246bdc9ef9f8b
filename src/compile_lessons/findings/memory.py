"""Memory of a compile: what the forward pass keeps for the backward pass, and the peak of each graph, estimated."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from compile_lessons.facts import CompiledGraph, Direction, InductorGraph, Node, Saved, total

#: Names of inputs that Dynamo made from a module's parameters and buffers: ``l_self_modules_fc_parameters_weight_``.
_PARAMETER = re.compile(r"_(?:parameters|buffers)_")


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What all forward graphs keep for their backward graphs. Parameters and inputs exist anyway, activations don't."""

    activations: tuple[Saved, ...]
    parameters: tuple[Saved, ...]
    inputs: tuple[Saved, ...]
    recomputed: int


@dataclass(frozen=True, kw_only=True)
class Peak:
    """The most bytes that a graph's own buffers take at one time, without its inputs, and the bytes of the inputs.

    An estimate: it counts every buffer between two kernels from its kernel to the last that reads it, with no reuse in
    place and nothing of the allocator.
    """

    direction: Direction
    bytes: int
    inputs: int


def kept(graphs: Sequence[CompiledGraph]) -> Kept:
    """Tell apart what the graphs save."""
    activations: list[Saved] = []
    parameters: list[Saved] = []
    inputs: list[Saved] = []
    for graph in graphs:
        given = {node.name: node for node in graph.forward.nodes if node.op == "placeholder"} if graph.forward else {}
        named = _parameters(graph)
        for saved in graph.saved:
            where = activations if saved.name not in given else parameters if saved.name in named else inputs
            where.append(saved)
    recomputed = sum(len(graph.recomputed) for graph in graphs)
    return Kept(
        activations=tuple(activations), parameters=tuple(parameters), inputs=tuple(inputs), recomputed=recomputed
    )


def _parameters(graph: CompiledGraph) -> set[str]:
    """Return the inputs of the forward graph that are parameters or buffers of a module."""
    given = [node for node in graph.dynamo.nodes if node.op == "placeholder"]
    taken = [node for node in graph.forward.nodes if node.op == "placeholder"] if graph.forward else []
    own = {node.name for node in given if _PARAMETER.search(node.name)}
    names = {node.name for node in taken if own & set(node.sources)}
    if len(given) == len(taken):  # AOTAutograd keeps the order, unless it adds inputs or merges equal ones
        names |= {node.name for node, source in zip(taken, given, strict=True) if source.name in own}
    return names


def peaks(graphs: Sequence[CompiledGraph]) -> tuple[Peak, ...]:
    """Return the estimate for each graph whose sizes are known, in the order in which they were compiled."""
    return tuple(peak for graph in graphs for part in graph.inductor if (peak := _peak(part)) is not None)


def _peak(part: InductorGraph) -> Peak | None:
    nodes = {node.name: node for node in part.post_grad.nodes}
    made_by = {name: step for step, kernel in enumerate(part.kernels) for name in kernel.origins if name in nodes}
    last = len(part.kernels)
    if not last:
        return None
    until = dict(made_by)
    for node in nodes.values():
        # What the output returns is there at the end. A view has no kernel: whoever reads the view reads its base.
        step = last if node.op == "output" else made_by.get(node.name, 0)
        for name in _buffers(node, nodes, made_by):
            until[name] = max(until[name], step)
    sizes = {name: total(tensor.bytes for tensor in nodes[name].tensors) for name in made_by}
    inputs = total(tensor.bytes for node in nodes.values() if node.op == "placeholder" for tensor in node.tensors)
    alive = {name: size for name, size in sizes.items() if until[name] > made_by[name]}
    if inputs is None or any(size is None for size in alive.values()):
        return None
    at = [
        sum(size or 0 for name, size in alive.items() if made_by[name] <= step <= until[name]) for step in range(last)
    ]
    return Peak(direction=part.direction, bytes=max(at), inputs=inputs)


def _buffers(node: Node, nodes: dict[str, Node], made_by: dict[str, int]) -> set[str]:
    """Return the nodes of kernels that a node reads, through views."""
    found, todo = set(), list(node.inputs)
    while todo:
        name = todo.pop()
        if name in made_by:
            found.add(name)
        elif name in nodes:
            todo += nodes[name].inputs
    return found
