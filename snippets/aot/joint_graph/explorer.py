"""The joint graph beside the two graphs that it is cut into."""

import torch

from compile_lessons import Explorer, capture, show


def layer(x, w):
    return torch.tanh(x @ w)


x = torch.ones(4, 3)
w = torch.ones(3, 2, requires_grad=True)
pipeline = capture(layer, until="aot")(x, w)
show(Explorer(pipeline, panes=["python", "joint", "forward", "backward"]))
# region checks
[graph] = pipeline.graphs
assert graph.joint and graph.forward and graph.backward
# endregion
