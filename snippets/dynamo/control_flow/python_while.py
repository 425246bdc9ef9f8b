"""The same loop in Python: breaks instead of one graph."""

import torch


def double_until(x):
    while x.sum() < 100:
        x = x * 2
    return x


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


compiled = torch.compile(double_until, backend=keep_graph)
print(compiled(torch.ones(4)))
for graph_module in graphs:
    print([node.name for node in graph_module.graph.nodes if node.op.startswith("call")])
graph_count = len(graphs)
assert graph_count == 2
