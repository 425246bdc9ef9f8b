"""A custom operator that is trained through needs its derivative."""

import torch


@torch.library.custom_op("course::cube", mutates_args=())
def cube(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(x.detach().numpy() ** 3)


@cube.register_fake
def _(x):
    return torch.empty_like(x)


def setup_context(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])


def backward(ctx, grad):
    (x,) = ctx.saved_tensors
    return grad * 3 * x**2


cube.register_autograd(backward, setup_context=setup_context)


@torch.compile(backend="aot_eager", fullgraph=True)
def sum_of_cubes(x):
    return cube(x).sum()


x = torch.full((3,), 2.0, requires_grad=True)
sum_of_cubes(x).backward()
print(x.grad)

# region checks
assert x.grad.tolist() == [12.0] * 3
# endregion
