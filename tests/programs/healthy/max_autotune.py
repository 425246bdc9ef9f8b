"""max-autotune without freezing has nothing to tune on a CPU."""

import torch

net = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).eval()
model = torch.compile(net, mode="max-autotune")
with torch.no_grad():
    for _ in range(5):
        model(torch.ones(8, 16))
