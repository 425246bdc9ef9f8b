"""The parameters of a module become inputs of its graph."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 2))


def show_graph(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        print(f"{node.op:14} {getattr(node.target, '__name__', node.target)}")
    graphs.append(graph_module)
    return graph_module.forward


graphs = []
torch.compile(model, backend=show_graph)(torch.ones(3, 4))

[graph_module] = graphs
inputs = sum(node.op == "placeholder" for node in graph_module.graph.nodes)
calls = sum(node.op == "call_function" for node in graph_module.graph.nodes)
parameters = len(list(model.parameters()))
assert inputs == parameters + 1 and calls == 3
