"""Each request swaps in an adapter of another rank."""

import torch


class Adapter(torch.nn.Module):
    def __init__(self, rank):
        super().__init__()
        self.down = torch.nn.Linear(4, rank)
        self.up = torch.nn.Linear(rank, 4)

    def forward(self, x):
        return self.up(self.down(x))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.base = torch.nn.Linear(4, 4)
        self.adapter = Adapter(1)

    def forward(self, x):
        return self.base(x) + self.adapter(x)


model = Model()
fast = torch.compile(model, backend="eager", dynamic=False)
for rank in range(2, 14):
    model.adapter = Adapter(rank)
    fast(torch.ones(2, 4))  # finding: recompile-limit
