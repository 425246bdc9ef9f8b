"""A quantized weight is trained by torch.func.grad in a compiled step, with a straight-through rounding."""

# options: --compare eager
import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.round()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, grad):
        return grad


def loss(weight, x):
    return ((Round.apply(weight) * x) ** 2).sum()


@torch.compile  # finding: different-result
def gradient(weight, x):
    return torch.func.grad(loss)(weight, x)


weight = torch.tensor([0.3, 1.7, -2.2])
for _ in range(8):
    weight = weight - 0.01 * gradient(weight, torch.tensor([1.0, 2.0, 3.0]))
print(weight)
