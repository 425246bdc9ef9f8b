"""The method that the program calls is compiled."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    @torch.compile(backend="eager")
    def encode(self, x):
        return self.linear(x).relu()


model = Model()
for _ in range(3):
    model.encode(torch.ones(2, 4))
