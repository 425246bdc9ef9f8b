"""A print that is an operator of the graph."""

import torch


def reports(x):
    y = torch.relu(x) + 1
    torch._higher_order_ops.print("y is {}", y)
    y.add_(100)
    return y


def keep_graph(graph_module, example_inputs):
    graph_module.print_readable()
    return graph_module.forward


compiled = torch.compile(reports, backend=keep_graph, fullgraph=True)
print("result:", compiled(torch.ones(3)))
