"""The same graph as a figure."""

import torch
import torch.nn.functional as F

from compile_lessons import Diagram, capture, show


def gated(x, w):
    top, bottom = (x @ w).chunk(2)
    return F.gelu(top).add(bottom, alpha=2)


pipeline = capture(gated, until="dynamo")(torch.ones(4, 4), torch.ones(4, 4))
graph = pipeline.graphs[0].dynamo
names = {node.name: node.name for node in graph.nodes}
for node in graph.calls:
    names[node.name] = f"{node.name} = {node.target}"
edges = [(source, node.name) for node in graph.nodes for source in node.inputs]
show(Diagram(names, edges, {node.name: node.op for node in graph.nodes}))

# region checks
assert len(edges) == 9
# endregion
