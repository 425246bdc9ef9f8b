"""Describe the sizes in the call to torch.compile."""

import torch
from torch.fx.experimental.dynamic_spec import STATIC, ShapeVar, TensorSpec


def double(x):
    return x * 2


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


spec = {"x": TensorSpec([ShapeVar("batch"), STATIC])}
compiled = torch.compile(double, backend=keep_graph, shapes_spec=spec)
for size in (4, 9, 1, 0):
    compiled(torch.ones(size, 3))

try:
    torch.compile(double, shapes_spec=spec, dynamic=True)(torch.ones(4, 3))
    message = ""
except ValueError as error:
    message = str(error)

graph_count = len(graphs)
print("compiles:", graph_count)
graphs[0].print_readable()
print("with dynamic=True:", message)
# region checks
assert graph_count == 1 and "cannot both be set" in message
# endregion
