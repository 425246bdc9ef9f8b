"""Compile the optimizer's step, with a learning rate that is a tensor."""

import torch

torch.manual_seed(0)
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.AdamW(model.parameters(), lr=torch.tensor(1e-3))
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 50)


@torch.compile(backend="eager")
def update():
    optimizer.step()
    schedule.step()


for _ in range(20):
    model(torch.ones(2, 8)).sum().backward()
    update()
    optimizer.zero_grad()
