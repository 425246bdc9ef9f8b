"""A training loop without torch.compile."""

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(256, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for _ in range(100):
    loss = model(torch.ones(256, 256)).square().mean()  # advice: no-torch-compile
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
