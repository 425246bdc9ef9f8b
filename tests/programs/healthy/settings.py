"""A float attribute that decays, an optional argument, sizes as a tuple, and both modes of gradients."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.temperature = 1.0

    def forward(self, x, sizes, mask=None):
        y = self.linear(x) * self.temperature
        y = y if mask is None else y * mask
        return y.expand(*sizes).sum()


model = Model()
fast = torch.compile(model, backend="eager")
for number in range(1, 9):
    model.temperature *= 0.9
    fast(torch.ones(1, 4), (number, 4))
    fast(torch.ones(1, 4), (number, 4), torch.ones(4))
with torch.no_grad():
    fast(torch.ones(1, 4), (8, 4))
