"""A print that is an operator of the graph."""

import torch


def shifted_square(x):
    y = torch.relu(x) + 1
    torch._higher_order_ops.print("y is {}", y)
    return y * y


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


compiled = torch.compile(shifted_square, backend=keep_graph, fullgraph=True)
compiled(torch.ones(3))
print(graphs[0].code.strip())

graph_count = len(graphs)
assert graph_count == 1
