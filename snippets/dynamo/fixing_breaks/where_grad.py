"""torch.where computes both sides, and the gradient sees both."""

import torch


def unsafe(x):
    return torch.where(x > 0, torch.sqrt(x), torch.zeros_like(x))


def safe(x):
    positive = torch.where(x > 0, x, torch.ones_like(x))
    return torch.where(x > 0, torch.sqrt(positive), torch.zeros_like(x))


for function in (unsafe, safe):
    x = torch.tensor([4.0, -4.0], requires_grad=True)
    y = torch.compile(function, backend="aot_eager", fullgraph=True)(x)
    y.sum().backward()
    print(f"{function.__name__:7} y = {y.tolist()}  gradient = {x.grad.tolist()}")
    assert x.grad.isnan().any() == (function is unsafe)
