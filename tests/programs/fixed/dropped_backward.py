"""A quantized weight is trained by torch.func.grad in a compiled step, with a straight-through rounding."""

# options: --compare eager
import torch


def rounded(x):
    return x + (x.round() - x).detach()


def loss(weight, x):
    return ((rounded(weight) * x) ** 2).sum()


@torch.compile
def gradient(weight, x):
    return torch.func.grad(loss)(weight, x)


weight = torch.tensor([0.3, 1.7, -2.2])
for _ in range(8):
    weight = weight - 0.01 * gradient(weight, torch.tensor([1.0, 2.0, 3.0]))
print(weight)
