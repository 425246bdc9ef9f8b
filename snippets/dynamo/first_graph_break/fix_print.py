"""The print moves out, and one graph remains."""

import torch


def shifted_square(x):
    y = torch.relu(x) + 1
    return y * y


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


compiled = torch.compile(shifted_square, backend=keep_graph, fullgraph=True)
y = compiled(torch.ones(8))
print("done:", y)

graph_count = len(graphs)
print("graphs:", graph_count)
assert graph_count == 1
