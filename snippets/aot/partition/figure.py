"""What crosses the cut under each partitioner."""

from functools import partial

import torch
from functorch.compile import (
    default_partition,
    min_cut_rematerialization_partition,
    nop,
)
from torch._dynamo.backends.common import aot_autograd  # private: no public name

from compile_lessons import Diagram, show


def bump(x):
    return (torch.cos(x) * torch.sin(x)).exp()


def keep_and_partition(partitioner, joint, inputs, **settings):
    forward, backward = partitioner(joint, inputs, **settings)
    graphs["forward graph"] = forward.graph
    graphs["backward graph"] = backward.graph
    return forward, backward


def box(side, node, saved):
    """Return a box for each node of a graph; a saved tensor is one box for both."""
    return node.name if node.name in saved else f"{side} {node.name}"


def draw(graphs, saved):
    boxes = {}
    arrows = []
    groups = {}
    for side, graph in graphs.items():
        for node in list(graph.nodes)[:-1]:  # all but the output
            name = box(side, node, saved)
            boxes[name] = node.name
            groups[name] = "saved" if node.name in saved else side
            sources = [box(side, source, saved) for source in node.all_input_nodes]
            arrows.extend((source, name) for source in sources)
    return Diagram(boxes, arrows, groups)


graphs = {}
counts = []
for partitioner in (default_partition, min_cut_rematerialization_partition):
    partition = partial(keep_and_partition, partitioner)
    backend = aot_autograd(fw_compiler=nop, partition_fn=partition)
    torch.compile(bump, backend=backend)(torch.ones(4, requires_grad=True))
    inputs = graphs["backward graph"].find_nodes(op="placeholder")
    saved = [node.name for node in inputs if "tangents" not in node.name]
    print(partitioner.__name__, "saves", saved)
    show(draw(graphs, saved))
    counts.append(len(saved))
# region checks
assert counts == [4, 2]
# endregion
