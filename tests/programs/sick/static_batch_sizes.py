"""A server has one version for each batch size, and more batch sizes than the limit allows."""

import torch

model = torch.nn.Linear(4, 4)
serve = torch.compile(model, dynamic=False, backend="eager")  # finding: recompile-limit
for size in range(2, 14):
    serve(torch.ones(size, 4))
