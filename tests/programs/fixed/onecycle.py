"""OneCycleLR leaves the betas alone, and lr is a tensor."""

import torch

torch.manual_seed(0)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=torch.tensor(1e-3))
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=40, cycle_momentum=False)


@torch.compile(backend="aot_eager")
def update():
    optimizer.step()


for _ in range(20):
    model(torch.ones(2, 4)).sum().backward()
    update()
    optimizer.zero_grad()
    schedule.step()
