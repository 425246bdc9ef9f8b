"""The same function as one graph."""

import torch


def normalize(x):
    y = x - x.mean()
    y = torch.where(y.abs().max() > 1, y / y.abs().max(), y)
    y = torch.where(y[0] < 0, -y, y)
    return torch.tanh(y)


def original(x):
    y = x - x.mean()
    if y.abs().max() > 1:
        y = y / y.abs().max()
    return torch.tanh(sorted([y, -y], key=lambda t: t[0])[1])


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


compiled = torch.compile(normalize, backend=keep_graph, fullgraph=True)
for x in (torch.arange(4.0), -torch.arange(4.0), torch.arange(4.0) / 10):
    assert torch.equal(compiled(x), original(x))
print("mean removed")

graph_count = len(graphs)
print("graphs:", graph_count)
assert graph_count == 1
