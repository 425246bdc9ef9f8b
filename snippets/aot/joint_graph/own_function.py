"""A custom autograd function is traced: its backward is in the backward graph."""

import torch

from compile_lessons import capture


# region function
class ClippedSquare(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        [x] = ctx.saved_tensors
        return (2 * x * gradient).clamp(-1, 1)


def clipped_square(x):
    return ClippedSquare.apply(x)


# endregion
x = torch.ones(3, requires_grad=True)
[graph] = capture(clipped_square, fullgraph=True, until="aot")(x).graphs
print(graph.backward.code)
# region checks
assert "clamp" in graph.backward.code
# endregion
