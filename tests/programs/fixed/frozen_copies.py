"""One version serves all sizes."""

import torch
import torch._inductor.config

torch._inductor.config.freezing = True
net = torch.nn.Sequential(torch.nn.Linear(4096, 4096), torch.nn.ReLU(), torch.nn.Linear(4096, 16)).eval()
model = torch.compile(net, dynamic=True)
with torch.no_grad():
    for size in range(8, 14):
        model(torch.ones(size, 4096))
