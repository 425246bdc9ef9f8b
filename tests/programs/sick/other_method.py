"""The model is compiled, and the program calls a method other than forward."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x)

    def encode(self, x):
        return self.linear(x).relu()


model = torch.compile(Model(), backend="eager")  # finding: nothing-compiled
for _ in range(3):
    model.encode(torch.ones(2, 4))
