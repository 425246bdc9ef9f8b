"""A scheduler changes lr, a Python number, of a compiled optimizer."""

import torch

torch.manual_seed(0)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)  # finding: optimizer-number


@torch.compile(backend="aot_eager")
def update():
    optimizer.step()


for _ in range(20):
    model(torch.ones(2, 4)).sum().backward()
    update()
    optimizer.zero_grad()
    schedule.step()
