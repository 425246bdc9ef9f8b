"""aot_module: the parameters become inputs of the graph."""

import torch
from functorch.compile import aot_module, make_boxed_func


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


graphs = []
model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
aot_module(model, fw_compiler=keep_graph)(torch.ones(4, 3)).sum().backward()
graphs[0].print_readable()
# region checks
shapes = [list(node.meta["val"].shape) for node in graphs[0].graph.find_nodes(op="placeholder")]
assert shapes == [[2, 3], [2], [4, 3]]  # weight, bias, input
assert all(parameter.grad is not None for parameter in model.parameters())
# endregion
