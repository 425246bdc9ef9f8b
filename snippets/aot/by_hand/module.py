"""aot_module: the parameters become inputs of the graph."""

import torch
from functorch.compile import aot_module, make_boxed_func

from compile_lessons import Table, show


def keep(graph_module, example_inputs):
    graphs.append(graph_module.graph)
    return make_boxed_func(graph_module.forward)


graphs = []
model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
compiled = aot_module(model, fw_compiler=keep)
compiled(torch.ones(4, 3)).sum().backward()

shapes = {name: list(value.shape) for name, value in [*model.named_parameters(), ("input", torch.ones(4, 3))]}
inputs = [node for node in graphs[0].nodes if node.op == "placeholder"]
rows = [[node.name, str(list(node.meta["val"].shape)), name] for node, name in zip(inputs, shapes, strict=True)]
show(Table(["input of the forward graph", "shape", "is"], rows))

assert [list(node.meta["val"].shape) for node in inputs] == list(shapes.values())
assert all(parameter.grad is not None for parameter in model.parameters())
