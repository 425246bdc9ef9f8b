"""Train for many steps; then comes the first validation, with a batch of its own size."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.1), nn.ReLU(), nn.Linear(16, 1))
fast = torch.compile(model)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
for epoch in range(2):
    for _ in range(20):
        loss = fast(torch.randn(16, 8)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(f"epoch {epoch}, error {fast(torch.randn(64, 8)).square().mean():.3f}")
    model.train()
