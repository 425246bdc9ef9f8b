"""The AOTAutograd stage: joint, forward and backward graphs, what is saved and what is recomputed.

Relies on ``torch/_inductor/compile_fx.py``: ``partition_fn`` is given the joint graph and returns the two halves;
``_compile_fx_inner`` is given each ATen graph that Inductor compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from compile_lessons.pipeline import fxgraph
from compile_lessons.pipeline.dynamo import Watch as DynamoWatch
from compile_lessons.pipeline.dynamo import compile_id
from compile_lessons.pipeline.model import Graph, Saved


@dataclass
class AotNotes:
    """ATen graphs of one compile. ``forward`` is of kind ``inference`` where no gradient is needed."""

    joint: Graph | None = None
    forward: Graph | None = None
    backward: Graph | None = None
    random: bool = False


class Watch:
    """The ATen graphs by compile id."""

    HOOKS = {  # noqa: RUF012
        "torch._inductor.compile_fx:partition_fn": "partition",
        "torch._inductor.compile_fx:_compile_fx_inner": "compile",
    }

    def __init__(self, dynamo: DynamoWatch) -> None:
        self.graphs: dict[str, AotNotes] = {}
        self._dynamo = dynamo

    def _graph(self, kind: str, module: torch.fx.GraphModule) -> Graph:
        return fxgraph.graph(kind, module, self._dynamo.frames[compile_id()].graph_id)

    def partition(
        self, original: Callable[..., Any], joint: torch.fx.GraphModule, *args: Any, **kwargs: Any
    ) -> tuple[torch.fx.GraphModule, torch.fx.GraphModule]:
        """Bodies of higher-order operators are partitioned first, so that the last call is the graph's own."""
        notes = self.graphs.setdefault(compile_id(), AotNotes())
        notes.joint = self._graph("joint", joint)
        notes.random |= is_random(joint)
        forward, backward = original(joint, *args, **kwargs)
        notes.forward, notes.backward = self._graph("forward", forward), self._graph("backward", backward)
        return forward, backward

    def compile(self, original: Callable[..., Any], module: torch.fx.GraphModule, *args: Any, **kwargs: Any) -> Any:
        notes = self.graphs.setdefault(compile_id(), AotNotes())
        if kwargs.get("is_inference") or notes.forward is None:
            notes.forward = self._graph("inference", module)
        notes.random |= is_random(module)
        return original(module, *args, **kwargs)


def is_random(module: torch.fx.GraphModule) -> bool:
    """Whether the graph, or a body of an operator in it, draws random numbers: with ATen's operators or Inductor's."""
    graphs = [part.graph for part in module.modules() if isinstance(part, torch.fx.GraphModule)]
    return any(_draws(node.target) for graph in graphs for node in graph.nodes)


def _draws(target: Any) -> bool:
    tags = target.tags if isinstance(target, torch._ops.OpOverload) else ()
    return torch.Tag.nondeterministic_seeded in tags or "inductor_seed" in str(target)


def saved(forward: Graph, backward: Graph) -> tuple[Saved, ...]:
    """What the backward graph takes from the forward graph: its inputs that are not tangents.

    Inputs of the forward graph that the backward graph needs are among them; they cost no memory of their own.
    """
    names = {node.name for node in forward.nodes}
    found = (node for node in backward.nodes if node.op == "placeholder" and node.name in names)
    return tuple(Saved(node.name, node.tensors, _bytes(node.tensors)) for node in found)


def _bytes(tensors: Any) -> int | None:
    sizes = [tensor.bytes for tensor in tensors]
    return None if None in sizes else sum(sizes)


def recomputed(forward: Graph, backward: Graph, prefix: str = "") -> tuple[str, ...]:
    """Nodes that both graphs compute: the partitioner keeps the joint graph's names in both halves.

    So it does with the body of a region (``torch.compiler.nested_compile_region``), whose halves are named alike. The
    bodies of other operators have no joint graph: those of the backward graph are traced anew, with other names.
    """
    computed = {node.name for node in forward.calls}
    found = [prefix + node.name for node in backward.calls if node.name in computed]
    halves = {body.name: body.graph for body in forward.subgraphs}
    for body in backward.subgraphs:
        half = halves.get(body.name.replace(_BACKWARD, _FORWARD)) if body.name.startswith(_BACKWARD) else None
        if half is not None:
            found += recomputed(half, body.graph, f"{prefix}{body.name}.")
    return tuple(found)


#: Torch's names for the halves of a region's body, each with the same name after it (``graph_compile.py``).
_FORWARD, _BACKWARD = "partitioned_fw_", "partitioned_bw_"
