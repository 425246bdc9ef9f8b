"""What crosses the cut under each partitioner."""

import torch
from functorch.compile import default_partition, min_cut_rematerialization_partition, nop
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Diagram, show


def bump(x):
    return (torch.cos(x) * torch.sin(x)).exp()


def keep(partitioner):
    def cut(joint, inputs, **settings):
        forward, backward = partitioner(joint, inputs, **settings)
        graphs[partitioner] = [forward.graph, backward.graph]
        return forward, backward

    return cut


graphs, crossing = {}, {}
for partitioner in (default_partition, min_cut_rematerialization_partition):
    torch.compiler.reset()
    backend = aot_autograd(fw_compiler=nop, partition_fn=keep(partitioner))
    torch.compile(bump, backend=backend)(torch.ones(4, requires_grad=True))

    boxes, arrows, groups = {}, [], {}
    given = [node.name for node in graphs[partitioner][1].nodes if node.op == "placeholder"]
    saved = crossing[partitioner.__name__] = [name for name in given if not name.startswith("tangents")]
    for side, graph in zip(("fw", "bw"), graphs[partitioner], strict=True):
        for node in graph.nodes:
            if node.op == "output" or (side == "bw" and node.name in saved):
                continue  # a saved tensor is drawn once, in the forward graph
            label = {"fw": "forward graph", "bw": "backward graph"}[side]
            boxes[side + node.name] = node.name
            groups[side + node.name] = "saved" if node.name in saved else label
            sources = ("fw" + s.name if s.name in saved else side + s.name for s in node.all_input_nodes)
            arrows += [(source, side + node.name) for source in sources]
    print(partitioner.__name__, "saves", saved)
    show(Diagram(boxes, arrows, groups))

default_saved, min_cut_saved = (len(names) for names in crossing.values())
