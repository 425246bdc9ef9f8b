"""A wrong gradient in compiled code, and a function that isn't compiled."""

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


def main():
    step = torch.compile(gradient, backend="eager")
    print(step(*make_inputs()))


if __name__ == "__main__":
    different = typed(f"{__file__}:gradient", "--only", "kernels")
    print()
    other = typed(f"{__file__}:loss", "--only", "breaks")

# region checks
if __name__ == "__main__":
    assert (different, other) == (1, 0)
# endregion
