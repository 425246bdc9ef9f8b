"""The parameters of a module are inputs of its graph."""

import torch
from torch import nn

from compile_lessons import capture, show

model = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 2))
[graph] = capture(model, until="dynamo")(torch.ones(3, 4)).graphs
show(graph.dynamo)

# region checks
inputs = [node for node in graph.dynamo.nodes if node.op == "placeholder"]
assert len(list(model.parameters())) == 4
assert len(inputs) == 5
assert len(graph.dynamo.calls) == 3
# endregion
