"""A print in a helper breaks its caller too; nested_graph_breaks keeps it together."""

import torch

from compile_lessons import Table, capture, show


def helper(x):
    x = x + 1
    print("halfway")
    return x * 2


def outer(x):
    return helper(x - 1) / 3


def graphs_of_outer():
    graphs = capture(outer, until="dynamo")(torch.ones(3)).graphs
    return [[node.name for node in graph.dynamo.calls] for graph in graphs]


by_default = graphs_of_outer()
torch._dynamo.config.nested_graph_breaks = True
nested = graphs_of_outer()
rows = [
    ["False", len(by_default), str(by_default)],
    ["True", len(nested), str(nested)],
]
show(Table(["nested_graph_breaks", "graphs", "operators"], rows))

# region checks
assert len(by_default) == 4
assert len(nested) == 2
# endregion
