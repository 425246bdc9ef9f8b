"""A new parameter of the same shape needs no compile; another shape does."""

import torch
from torch import nn

model = nn.Linear(4, 2)
graphs = 0


def counting(graph_module, example_inputs):
    global graphs
    graphs += 1
    return graph_module.forward


compiled = torch.compile(model, backend=counting)
x = torch.ones(1, 4)
compiled(x)
model.weight = nn.Parameter(torch.zeros(2, 4))
model.bias = nn.Parameter(torch.ones(2))
same_shape = compiled(x).tolist(), graphs
model.weight, model.bias = nn.Parameter(torch.zeros(3, 4)), nn.Parameter(torch.ones(3))
other_shape = compiled(x).tolist(), graphs

print("same shape: ", *same_shape)
print("other shape:", *other_shape)
assert same_shape == ([[1.0, 1.0]], 1)
assert other_shape == ([[1.0, 1.0, 1.0]], 2)
