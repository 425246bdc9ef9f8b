"""Three models are trained one after another, and none of them needs the compiled code of another."""

import torch

for width in (4, 8, 16):
    torch._dynamo.reset()
    model = torch.compile(torch.nn.Linear(width, width), backend="aot_eager")
    optimizer = torch.optim.SGD(model.parameters())
    for _ in range(5):
        model(torch.ones(2, width)).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
