"""The joint graph, and the side of the cut that computes each node."""

import torch
from functorch.compile import min_cut_rematerialization_partition, nop
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Diagram, show


def layer(x, w):
    return torch.tanh(x @ w)


def keep_graphs(joint, inputs, **settings):
    forward, backward = min_cut_rematerialization_partition(joint, inputs, **settings)
    graphs.update(joint=joint.graph, forward=forward.graph, backward=backward.graph)
    return forward, backward


graphs = {}
x, w = torch.ones(4, 3), torch.ones(3, 2, requires_grad=True)
y = torch.compile(layer, backend=aot_autograd(fw_compiler=nop, partition_fn=keep_graphs))(x, w)

names = {part: {node.name for node in graph.nodes} for part, graph in graphs.items()}
boxes, arrows, groups = {}, [], {}
for node in list(graphs["joint"].nodes)[:-1]:  # all but `output`
    target = "" if node.op == "placeholder" else f"\n{node.target}"
    boxes[node.name] = f"{node.name} {list(node.meta['val'].shape)}{target}"
    arrows += [(source.name, node.name) for source in node.all_input_nodes]
    places = [f"{part} graph" for part in ("forward", "backward") if node.name in names[part]]
    groups[node.name] = places[0] if len(places) == 1 else "saved: in both"
show(Diagram(boxes, arrows, groups))
# region checks
saved = sorted(name for name, group in groups.items() if group.startswith("saved"))
assert saved == ["detach_1", "t"]
assert {t.data_ptr() for t in y.grad_fn.saved_tensors} == {x.data_ptr(), y.data_ptr()}
# endregion
