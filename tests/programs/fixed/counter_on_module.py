"""The layer counts its calls in a tensor."""

import torch


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x):
        self.calls += 1
        return self.linear(x) * self.calls


layer = torch.compile(Layer(), backend="eager")
for _ in range(20):
    layer(torch.ones(2, 4))
