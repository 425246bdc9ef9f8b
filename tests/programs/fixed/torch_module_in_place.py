"""An nn.Sequential is compiled as a whole."""

import torch

network = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 8))
network = torch.compile(network, backend="eager")
for _ in range(3):
    network(torch.ones(2, 4))
