"""Three ways to a gradient that keep what a custom backward does."""

import torch

from compile_lessons import Table, show


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight):
        return weight.round()

    @staticmethod
    def backward(ctx, gradient):
        return gradient


def loss(weight):
    return (Round.apply(weight) ** 2).sum()


# region without
def loss_without_function(weight):
    # the value is rounded, the gradient is that of weight
    rounded = weight + (weight.round() - weight).detach()
    return (rounded**2).sum()


# endregion
# region ways
def gradient_inside(weight):
    return torch.autograd.grad(loss(weight), weight)[0]


weight = torch.tensor([0.3, 1.7, -2.2], requires_grad=True)
slope = torch.func.grad(loss_without_function)
without_function = torch.compile(slope, backend="aot_eager")(weight)
inside = torch.compile(gradient_inside, backend="aot_eager")(weight)
torch.compile(loss, backend="aot_eager")(weight).backward()
# endregion
rows = [
    ["no torch.autograd.Function: loss_without_function", without_function.tolist()],
    ["torch.autograd.grad in the compiled function", inside.tolist()],
    ["backward() of the compiled loss", weight.grad.tolist()],
]
show(Table(["form", "gradient"], rows))
# region checks
assert [row[1] for row in rows] == [[0, 4, -4]] * 3  # as in eager mode
# endregion
