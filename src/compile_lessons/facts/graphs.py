"""An FX graph as data, whichever stage made it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from compile_lessons.facts.part import Part
from compile_lessons.facts.source import Location, TensorMeta

#: Which graph of a compile it is. An ``inference`` graph is the forward graph where no gradient is needed.
GraphKind = Literal["dynamo", "joint", "forward", "backward", "inference", "post_grad"]


#: What a node of an FX graph does, in FX's words.
NodeOp = Literal["placeholder", "get_attr", "call_function", "call_method", "call_module", "output"]


@dataclass(frozen=True, kw_only=True)
class Node(Part):
    """A node of an FX graph.

    ``args`` are the arguments as text, ``inputs`` the names of the nodes among them, ``tensors`` the metadata of the
    result, ``location`` the user's line. ``sources`` are the nodes of the Dynamo graph that it was traced from, as far
    as torch's ``from_node`` says. ``decomposed_from`` is the ATen operator that was decomposed into this and
    other nodes.
    """

    name: str
    op: NodeOp
    target: str
    args: str = ""
    inputs: tuple[str, ...] = ()
    tensors: tuple[TensorMeta, ...] = ()
    location: Location | None
    sources: tuple[str, ...] = ()
    decomposed_from: str | None = None


@dataclass(frozen=True, kw_only=True)
class Graph(Part):
    """An FX graph. ``code`` is the graph as Python, as torch's ``print_readable`` writes it.

    ``subgraphs`` are the bodies of higher-order operators such as ``torch.cond``, by their names in the module.
    """

    kind: GraphKind
    code: str
    nodes: tuple[Node, ...]
    subgraphs: tuple[Subgraph, ...] = ()

    def node(self, name: str) -> Node:
        """Return the node of that name. Raises ``KeyError`` if there is none."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise KeyError(f"the {self.kind} graph has no node {name!r}")

    @property
    def calls(self) -> tuple[Node, ...]:
        """The nodes that compute: neither inputs, nor attributes, nor the output."""
        return tuple(node for node in self.nodes if node.op.startswith("call_"))


@dataclass(frozen=True, kw_only=True)
class Subgraph(Part):
    """The body of a higher-order operator, by its name in the module."""

    name: str
    graph: Graph


def qualified_nodes(graph: Graph, prefix: str = "") -> Iterator[tuple[str, Node]]:
    """Yield each node with its name. A node of a subgraph is named after the subgraph too: ``true_graph_0.mm``."""
    for node in graph.nodes:
        yield prefix + node.name, node
    for subgraph in graph.subgraphs:
        yield from qualified_nodes(subgraph.graph, f"{prefix}{subgraph.name}.")
