"""A new parameter of the same shape needs no compile; a different shape does."""

import torch
from torch import nn

from compile_lessons import keep_graphs

kept = keep_graphs()
model = nn.Linear(4, 2)
compiled = torch.compile(model, backend=kept)
x = torch.ones(1, 4)
compiled(x)

model.weight = nn.Parameter(torch.zeros(2, 4))
model.bias = nn.Parameter(torch.ones(2))
same_shape = compiled(x).tolist()
graphs_of_same_shape = len(kept.graphs)
print("same shape:     ", same_shape, "graphs:", graphs_of_same_shape)

model.weight = nn.Parameter(torch.zeros(3, 4))
model.bias = nn.Parameter(torch.ones(3))
other_shape = compiled(x).tolist()
print("different shape:", other_shape, "graphs:", len(kept.graphs))

# region checks
assert same_shape == [[1.0, 1.0]]
assert graphs_of_same_shape == 1
assert other_shape == [[1.0, 1.0, 1.0]]
assert len(kept.graphs) == 2
# endregion
