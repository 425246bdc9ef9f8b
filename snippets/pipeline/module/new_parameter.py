"""A new parameter of the same shape needs no compile; a different shape does."""

import torch
from torch import nn

model = nn.Linear(4, 2)
graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


compiled = torch.compile(model, backend=keep_graph)
x = torch.ones(1, 4)
compiled(x)
model.weight = nn.Parameter(torch.zeros(2, 4))
model.bias = nn.Parameter(torch.ones(2))
same_shape = compiled(x).tolist(), len(graphs)
model.weight, model.bias = nn.Parameter(torch.zeros(3, 4)), nn.Parameter(torch.ones(3))
other_shape = compiled(x).tolist(), len(graphs)

print("same shape:  result, graphs:", *same_shape)
print("different shape: result, graphs:", *other_shape)

# region checks
assert same_shape == ([[1.0, 1.0]], 1)
assert other_shape == ([[1.0, 1.0, 1.0]], 2)
# endregion
