"""What crosses the cut under each partitioner."""

import torch
from functorch.compile import default_partition, min_cut_rematerialization_partition, nop
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Diagram, show


def bump(x):
    return (torch.cos(x) * torch.sin(x)).exp()


def keep_graphs(partitioner, joint, inputs, **settings):
    forward, backward = partitioner(joint, inputs, **settings)
    graphs[:] = [forward.graph, backward.graph]
    return forward, backward


def box(side, node):  # a saved tensor is one box, though both graphs have it
    return node.name if node.name in saved else f"{side} {node.name}"


graphs, counts = [], []
for partitioner in (default_partition, min_cut_rematerialization_partition):
    cut = aot_autograd(fw_compiler=nop, partition_fn=lambda *j, p=partitioner, **s: keep_graphs(p, *j, **s))
    torch.compile(bump, backend=cut)(torch.ones(4, requires_grad=True))
    saved = [n.name for n in graphs[1].nodes if n.op == "placeholder" and "tangents" not in n.name]
    boxes, arrows, groups = {}, [], {}
    for side, graph in zip(("forward graph", "backward graph"), graphs, strict=True):
        for node in list(graph.nodes)[:-1]:  # all but `output`
            boxes[box(side, node)] = node.name
            groups[box(side, node)] = "saved" if node.name in saved else side
            arrows += [(box(side, source), box(side, node)) for source in node.all_input_nodes]
    print(partitioner.__name__, "saves", saved)
    show(Diagram(boxes, arrows, groups))
    counts.append(len(saved))
# region checks
assert counts == [4, 2]
# endregion
