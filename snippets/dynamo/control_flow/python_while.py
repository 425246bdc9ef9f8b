"""The same loop in Python: breaks instead of one graph."""

import sys

import torch
from torch._dynamo.testing import EagerAndRecordGraphs


def double_until(x):
    while x.sum() < 100:
        x = x * 2
    return x


keep_graphs = EagerAndRecordGraphs()
print(torch.compile(double_until, backend=keep_graphs)(torch.ones(4)))
for graph_module in keep_graphs.graphs:
    print([node.name for node in graph_module.graph.nodes if "call" in node.op])

try:
    torch.compile(double_until, backend="eager", fullgraph=True)(torch.ones(4))
    whole = "one graph"
except torch._dynamo.exc.Unsupported as error:
    whole = str(error).splitlines()[0]
print("fullgraph=True:", whole)

graph_count = len(keep_graphs.graphs)
assert graph_count == (2 if sys.version_info < (3, 12) else 1) and whole == "Data-dependent branching"
