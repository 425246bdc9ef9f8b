"""Two losses are weighed by their gradients' norms, and the compiled graph keeps its buffers for that."""

import torch
from torch import nn
from torch._functorch import config

config.donated_buffer = False
torch.manual_seed(0)
body = nn.Sequential(nn.Linear(8, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU())
heads = nn.ModuleList([nn.Linear(32, 1), nn.Linear(32, 1)])
fast = torch.compile(body, backend="aot_eager")
optimizer = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=0.01)


def norm(loss):
    return torch.autograd.grad(loss, body[2].weight, retain_graph=True)[0].norm()


for step in range(3):
    features = fast(torch.randn(16, 8))
    first, second = (head(features).square().mean() for head in heads)
    share = (norm(first) / norm(second)).detach() if step > 0 else 1.0
    loss = first + share * second
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"loss {loss:.4f}")
