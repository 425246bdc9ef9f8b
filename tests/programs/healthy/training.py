"""Train a small model; the last batch is smaller."""

import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
loader = DataLoader(TensorDataset(torch.randn(100, 8), torch.randn(100, 1)), batch_size=32)
fast = torch.compile(model, backend="aot_eager")
for _ in range(4):
    for x, y in loader:
        torch.nn.functional.mse_loss(fast(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        fast(torch.randn(32, 8))
    model.train()
