"""The model has a class of its own, with a forward: it compiles in place, and names of parameters stay."""

import torch


class Network(torch.nn.Sequential):
    def forward(self, x):
        return super().forward(x)


network = Network(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 8))
network.compile(backend="eager")
for _ in range(3):
    network(torch.ones(2, 4))
