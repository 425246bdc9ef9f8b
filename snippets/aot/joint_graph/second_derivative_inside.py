"""The first derivative moves inside, and the joint graph covers it."""

import torch


def cube_sum(x):
    return (x**3).sum()


@torch.compile(backend="aot_eager", fullgraph=True)
def slope_sum(x):
    return torch.func.grad(cube_sum)(x).sum()


x = torch.full((3,), 3.0, requires_grad=True)
slope_sum(x).backward()
print("the gradient of the gradient, 6 x:", x.grad)

assert torch.equal(x.grad, 6 * x)
