"""A model compiles itself into a local name, which nobody calls."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def speed_up(self):
        self = torch.compile(self, backend="eager")  # finding: nothing-compiled

    def forward(self, x):
        return self.linear(x)


model = Model()
model.speed_up()
for _ in range(3):
    model(torch.ones(2, 4))
