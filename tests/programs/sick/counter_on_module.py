"""A layer counts its calls in a Python number, and every new value is a recompile."""

import torch


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.calls = 0

    def forward(self, x):
        self.calls += 1  # finding: recompile-limit
        return self.linear(x) * self.calls


layer = torch.compile(Layer(), backend="eager")
for _ in range(20):
    layer(torch.ones(2, 4))
