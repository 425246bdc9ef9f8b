"""A gradient penalty whose inner derivative is inside the compiled function."""

import torch
from torch.nn import Linear, Sequential, Tanh

critic = Sequential(Linear(4, 8), Tanh(), Linear(8, 1))


# region penalty
def total_score(x):
    return critic(x).sum()


def penalty(x):  # call this inside the function that you compile
    slope = torch.func.grad(total_score)(x)
    return (slope.norm(dim=1) - 1).square().mean()


# endregion
x = torch.ones(3, 4)
compiled_penalty = torch.compile(penalty, backend="aot_eager", fullgraph=True)
gradients = []
for function in (penalty, compiled_penalty):
    critic.zero_grad()
    function(x).backward()
    gradients.append(critic[0].weight.grad.clone())
print("same gradient as in eager mode:", torch.allclose(*gradients))
# region checks
torch.testing.assert_close(*gradients)
assert gradients[0].abs().max() > 0
# endregion
