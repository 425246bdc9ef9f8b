"""OneCycleLR changes the betas of a compiled optimizer at each step."""

import torch

torch.manual_seed(0)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=torch.tensor(1e-3))
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=40)  # finding: optimizer-number


@torch.compile(backend="aot_eager")
def update():
    optimizer.step()


for _ in range(20):
    model(torch.ones(2, 4)).sum().backward()
    update()
    optimizer.zero_grad()
    schedule.step()
