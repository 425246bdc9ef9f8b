"""A print in a helper breaks its caller too; nested_graph_breaks keeps the pieces together."""

import torch

from compile_lessons import Table, capture, show


def helper(x):
    x = x + 1
    print("halfway")
    return x * 2


def outer(x):
    return helper(x - 1) / 3


rows = []
for nested in (False, True):
    with torch._dynamo.config.patch(nested_graph_breaks=nested):
        pipeline = capture(outer, until="dynamo")(torch.ones(3))
    graphs = [[node.name for node in graph.dynamo.calls] for graph in pipeline.graphs]
    rows.append([str(nested), len(graphs), str(graphs)])
show(Table(["nested_graph_breaks", "graphs", "operators"], rows))

# region checks
assert [row[1] for row in rows] == [4, 2]
# endregion
