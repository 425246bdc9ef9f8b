"""The AOTAutograd stage: joint, forward and backward graphs, what is saved and what is recomputed.

Relies on ``torch/_inductor/compile_fx.py``: ``partition_fn`` is given the joint graph and returns the two halves;
``_compile_fx_inner`` is given each ATen graph that Inductor compiles.
"""

from collections import defaultdict
from typing import Any, ClassVar

import torch

from compile_lessons.facts import Graph, GraphKind, Saved, total
from compile_lessons.pipeline import fxgraph
from compile_lessons.pipeline.dynamo import DynamoWatch, compile_id
from compile_lessons.pipeline.hooks import Original


class AotWatch:
    """The ATen graphs by compile id, and there by ``joint``, ``forward`` and ``backward``.

    ``forward`` is of kind ``inference`` where no gradient is needed.
    """

    HOOKS: ClassVar[dict[str, str]] = {
        "torch._inductor.compile_fx:partition_fn": "partition",
        "torch._inductor.compile_fx:_compile_fx_inner": "compile",
    }

    def __init__(self, dynamo: DynamoWatch) -> None:
        self.graphs: dict[str, dict[str, Graph]] = defaultdict(dict)
        self._dynamo = dynamo

    def _graph(self, kind: GraphKind, module: torch.fx.GraphModule) -> Graph:
        return fxgraph.graph(kind, module, self._dynamo.frames[compile_id()].graph_id)

    def partition(
        self, original: Original, joint: torch.fx.GraphModule, *args: Any, **kwargs: Any
    ) -> tuple[torch.fx.GraphModule, torch.fx.GraphModule]:
        """Note the joint graph and its halves. Bodies of operators come first, so the graph's own are noted last."""
        graphs = self.graphs[compile_id()]
        graphs["joint"] = self._graph("joint", joint)
        forward, backward = original(joint, *args, **kwargs)
        graphs |= {"forward": self._graph("forward", forward), "backward": self._graph("backward", backward)}
        return forward, backward

    def compile(self, original: Original, module: torch.fx.GraphModule, *args: Any, **kwargs: Any) -> Any:
        """Note the forward graph where there is no joint graph to partition."""
        graphs = self.graphs[compile_id()]
        if kwargs.get("is_inference") or "forward" not in graphs:
            graphs["forward"] = self._graph("inference", module)
        return original(module, *args, **kwargs)


def saved(forward: Graph, backward: Graph) -> tuple[Saved, ...]:
    """Return what the backward graph takes from the forward graph: its inputs that are not tangents.

    Inputs of the forward graph that the backward graph needs are among them. They cost no memory of their own.
    """
    names = {node.name for node in forward.nodes}
    taken = (node for node in backward.nodes if node.op == "placeholder" and node.name in names)
    return tuple(
        Saved(name=node.name, tensors=node.tensors, bytes=total(tensor.bytes for tensor in node.tensors))
        for node in taken
    )


#: Torch's names for the halves of a region's body, each followed by the same name (``graph_compile.py``).
_FORWARD, _BACKWARD = "partitioned_fw_", "partitioned_bw_"


def recomputed(forward: Graph, backward: Graph, prefix: str = "") -> tuple[str, ...]:
    """Return the names of nodes that both graphs compute. The partitioner keeps the joint graph's names in both halves.

    The body of a region (``torch.compiler.nested_compile_region``) is partitioned too, and its halves have matching
    names. Bodies of other operators have no joint graph: torch traces those of the backward graph anew, with other
    names.
    """
    computed = {node.name for node in forward.calls}
    names = [prefix + node.name for node in backward.calls if node.name in computed]
    halves = {body.name: body.graph for body in forward.subgraphs}
    for body in backward.subgraphs:
        half = halves.get(body.name.replace(_BACKWARD, _FORWARD)) if body.name.startswith(_BACKWARD) else None
        if half is not None:
            names += recomputed(half, body.graph, f"{prefix}{body.name}.")
    return tuple(names)
