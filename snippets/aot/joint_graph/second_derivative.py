# /// lesson
# raises = {type = "RuntimeError", message = "not currently support double backward"}
# ///
"""A gradient penalty differentiates the compiled backward graph, and that raises."""

import torch
from torch.nn import Linear, Sequential, Tanh

# region penalty
critic = Sequential(Linear(4, 8), Tanh(), Linear(8, 1))
score = torch.compile(critic, backend="aot_eager")

x = torch.ones(3, 4, requires_grad=True)
[slope] = torch.autograd.grad(score(x).sum(), x, create_graph=True)
print("the slope has a grad_fn:", slope.grad_fn is not None)
penalty = (slope.norm(dim=1) - 1).square().mean()
penalty.backward()
# endregion
