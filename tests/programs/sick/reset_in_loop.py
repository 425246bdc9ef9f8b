"""All compiled code is dropped after each step, as a test does it between two tests."""

import torch


@torch.compile(backend="aot_eager")
def loss_of(model, x):
    return model(x).square().mean()


model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters())
for _ in range(10):
    loss_of(model, torch.ones(2, 4)).backward()
    optimizer.step()
    optimizer.zero_grad()
    torch.compiler.reset()  # finding: reset
