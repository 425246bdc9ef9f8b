"""A gradient penalty whose inner derivative is inside the compiled function."""

import torch

critic = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))


def penalty(x):  # call this inside the function that you compile
    slope = torch.func.grad(lambda x: critic(x).sum())(x)
    return (slope.norm(dim=1) - 1).square().mean()


x, gradients = torch.ones(3, 4), []
for function in (penalty, torch.compile(penalty, backend="aot_eager", fullgraph=True)):
    critic.zero_grad()
    function(x).backward()
    gradients.append(critic[0].weight.grad.clone())
print("same gradient as in eager mode:", torch.allclose(*gradients))
# region checks
torch.testing.assert_close(*gradients)
assert gradients[0].abs().max() > 0
# endregion
