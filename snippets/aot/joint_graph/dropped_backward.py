"""A custom backward is lost under torch.func.grad in compiled code."""

import torch


# region slope
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
# endregion

weight = torch.tensor([0.3, 1.7, -2.2])
print("eager mode", slope(weight).tolist())
print("compiled  ", compiled_slope(weight).tolist())
# region checks
assert slope(weight).tolist() == [0, 4, -4]
assert compiled_slope(weight).tolist() == [0, 0, 0]
# endregion
