"""The whole training step is compiled, with the backward in it."""

import torch

torch.manual_seed(0)
model = torch.nn.Linear(4, 1)


@torch.compile(backend="aot_eager")
def step(x):
    loss = model(x).square().mean()
    loss.backward()  # finding: graph-break
    return loss


for _ in range(3):
    step(torch.ones(2, 4))
    model.zero_grad()
