"""A custom operator in training: fake kernel, gradient, and a test of all of it."""

import numpy
import torch

from compile_lessons import capture


@torch.library.custom_op("production::softclip", mutates_args=())
def softclip(x: torch.Tensor, limit: float) -> torch.Tensor:
    # code that Dynamo can't trace
    return torch.from_numpy(numpy.tanh(x.numpy() / limit) * limit)


@softclip.register_fake
def _(x, limit):
    return torch.empty_like(x)


def setup_context(ctx, inputs, output):
    ctx.save_for_backward(output)
    ctx.limit = inputs[1]


def backward(ctx, gradient):
    (y,) = ctx.saved_tensors
    return gradient * (1 - (y / ctx.limit) ** 2), None


softclip.register_autograd(backward, setup_context=setup_context)

x = torch.randn(8, requires_grad=True)
for test, result in torch.library.opcheck(softclip, (x, 2.0)).items():
    print(f"{test}: {result}")


def layer(x):
    return softclip(x * 3, 2.0) + 1


pipeline = capture(layer, compare=True, fullgraph=True, until="aot")(x)
print(pipeline.comparison)

# region checks
assert pipeline.comparison.status == "equal"
# endregion
