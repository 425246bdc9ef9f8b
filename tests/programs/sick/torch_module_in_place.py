"""An nn.Sequential is compiled in place."""

import torch

network = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 8))
network.compile(backend="eager")  # finding: torch-module-in-place
for _ in range(3):
    network(torch.ones(2, 4))
