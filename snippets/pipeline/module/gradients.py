# /// lesson
# needs = ["compiler"]
# ///
"""Training a compiled module: the same gradients, and an optimizer that knows nothing of it."""

import copy

import torch
from torch import nn
from torch._dynamo.utils import counters

torch.manual_seed(0)
eager = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 1))
model = copy.deepcopy(eager)
compiled = torch.compile(model)
steps = 3

for module, run in [(eager, eager), (model, compiled)]:
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    torch.manual_seed(1)
    for _ in range(steps):
        loss = run(torch.randn(32, 8)).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(f"{type(run).__name__:16} loss after the last step: {loss.item():.6f}")

for ours, theirs in zip(model.parameters(), eager.parameters(), strict=True):
    torch.testing.assert_close(ours, theirs)

graphs = counters["stats"]["unique_graphs"]
print("graphs:", graphs)
assert graphs == 1
