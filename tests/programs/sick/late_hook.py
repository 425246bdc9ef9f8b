"""Activations of an inner layer are recorded by a hook, which is registered after training has begun."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(8, 16)
        self.head = torch.nn.Linear(16, 2)

    def forward(self, x):
        return self.head(self.body(x).relu())


seen = []
model = Net()
model.compile(backend="aot_eager")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    if step == 3:
        model.body.register_forward_hook(lambda *call: seen.append(call[2].detach().norm()))  # finding: unseen-hook
    loss = model(torch.ones(4, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{len(seen)} norms of 3 steps")
