"""The same function with a fixed and with a dynamic size."""

import torch


def double(x):
    return x.reshape(2, -1) * 2


def show_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    graph_module.print_readable()
    return graph_module.forward


graphs = []
compiled = torch.compile(double, backend=show_graph)
compiled(torch.ones(32))
compiled(torch.ones(64))
compiled(torch.ones(128))

# region checks
inputs = [sum(node.op == "placeholder" for node in graph_module.graph.nodes) for graph_module in graphs]
assert inputs == [1, 2]
# endregion
