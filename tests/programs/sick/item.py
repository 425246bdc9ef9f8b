"""A loss is read as a Python number in the middle of the forward."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.linear(x)
        scale = y.abs().max().item()  # finding: graph-break
        return y / scale


model = torch.compile(Model(), backend="eager")
for _ in range(3):
    model(torch.ones(2, 4))
