# /// lesson
# raises = {type = "RuntimeError", message = "does not currently support double backward"}
# ///
"""A gradient of a gradient stops at the compiled backward graph."""

import torch


@torch.compile(backend="aot_eager")
def cube_sum(x):
    return (x**3).sum()


x = torch.full((3,), 3.0, requires_grad=True)
[slope] = torch.autograd.grad(cube_sum(x), x, create_graph=True)
print("the gradient, 3 x²:", slope)
slope.sum().backward()  # wants 6 x
