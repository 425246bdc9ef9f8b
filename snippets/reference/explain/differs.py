"""A wrong gradient in compiled code."""

import torch
from _command import typed


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


def loss(w, x):
    return ((Round.apply(w) * x) ** 2).sum()


gradient = torch.func.grad(loss)


def make_inputs():
    return torch.tensor([0.3, 1.7, -2.2]), torch.tensor([1.0, 2.0, 3.0])


if __name__ == "__main__":
    options = ["--compile", "backend='eager'"]
    status = typed(f"{__file__}:gradient", "--only", "kernels", *options)

# region checks
if __name__ == "__main__":
    assert status == 1
# endregion
