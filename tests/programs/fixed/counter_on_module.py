"""The caller counts in a buffer: a change inside of the forward pass would reach the backward pass too early."""

import torch


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x):
        return self.linear(x) * self.calls


layer = torch.compile(Layer(), backend="eager")
for _ in range(20):
    layer.calls += 1
    layer(torch.ones(2, 4))
