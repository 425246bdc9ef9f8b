"""map applies a function to each part of a tensor."""

import torch
from torch._dynamo.testing import EagerAndRecordGraphs
from torch._higher_order_ops.map import map as map_over


def doubled(x):
    return map_over(lambda part: part * 2, x)


nodes = []
for length in (5, 50):
    torch.compiler.reset()
    keep_graphs, x = EagerAndRecordGraphs(), torch.arange(float(length))
    result = torch.compile(doubled, backend=keep_graphs, fullgraph=True)(x)
    nodes.append(len(keep_graphs.graphs[0].graph.nodes))
    print(f"length {length}: {nodes[-1]} nodes")
    assert torch.equal(result, x * 2)

map_5, map_50 = nodes
assert map_5 == map_50
