# /// lesson
# needs = ["compiler"]
# ///
"""Training a compiled module gives the same loss as eager mode."""

import copy

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.layers(x)


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in batches:
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


torch.manual_seed(0)
batches = torch.randn(3, 32, 8)
eager = Model()
model = copy.deepcopy(eager)
print(f"eager:    {train(eager):.6f}")
model.compile()
loss = train(model)  # the same loop and the same optimizer
print(f"compiled: {loss:.6f}")

# region checks
# the first step's graph still serves
with torch.compiler.set_stance("fail_on_recompile"):
    model(batches[0])
for ours, theirs in zip(model.parameters(), eager.parameters(), strict=True):
    assert torch.allclose(ours, theirs, atol=1e-6)
# endregion
