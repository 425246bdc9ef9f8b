"""The forward and the backward graph, and the values that cross the cut."""

import torch

from compile_lessons import Diagram, capture, show


def layer(x, w):
    return torch.tanh(x @ w)


x = torch.ones(4, 3)
w = torch.ones(3, 2, requires_grad=True)
[graph] = capture(layer, until="aot")(x, w).graphs

saved = [value.name for value in graph.saved]
boxes = {}
arrows = []
groups = {}
for side, part in {"forward": graph.forward, "backward": graph.backward}.items():
    for node in part.nodes[:-1]:  # all but the output
        shape = list(node.tensors[0].shape)
        operator = "" if node.op == "placeholder" else f"\n{node.target}"
        boxes.setdefault(node.name, f"{node.name} {shape}{operator}")
        groups[node.name] = "saved" if node.name in saved else f"{side} graph"
        arrows.extend((source, node.name) for source in node.inputs)
show(Diagram(boxes, arrows, groups))
# region checks
assert sorted(saved) == ["permute", "tanh"]
# endregion
