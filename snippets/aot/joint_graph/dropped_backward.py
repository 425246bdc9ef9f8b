"""A custom backward is lost under torch.func.grad in compiled code."""

import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(weight):
        return weight.round()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, gradient):
        return gradient  # as if forward had not rounded


def loss(weight):
    return (Round.apply(weight) ** 2).sum()


slope = torch.func.grad(loss)
compiled_slope = torch.compile(slope, fullgraph=True, backend="eager")

weight = torch.tensor([0.3, 1.7, -2.2])
expected, compiled = slope(weight), compiled_slope(weight)
print("eager mode", expected.tolist())
print("compiled  ", compiled.tolist())
# region checks
assert expected.tolist() == [0, 4, -4] and compiled.tolist() == [0, 0, 0]
# endregion
