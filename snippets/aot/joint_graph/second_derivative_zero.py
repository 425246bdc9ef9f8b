"""A second derivative through a compiled network: an error, zeros, the right values."""

import torch
from torch.nn import Linear, Sequential, Tanh

from compile_lessons import Table, show

# region derivatives
torch.manual_seed(0)
network = Sequential(Linear(1, 8), Tanh(), Linear(8, 1))
compiled = torch.compile(network, backend="aot_eager")


def second_derivative(u, x, **options):
    [slope] = torch.autograd.grad(u(x).sum(), x, create_graph=True)
    return torch.autograd.grad(slope.sum(), x, **options)[0]


def slope_sum(x):
    return torch.func.grad(lambda x: network(x).sum())(x).sum()


@torch.compile(backend="aot_eager", fullgraph=True)
def both_inside(x):
    return torch.func.grad(slope_sum)(x)


x = torch.linspace(0, 3, 4)[:, None].requires_grad_()
try:
    second_derivative(compiled, x)
except RuntimeError as error:
    print(error)
exact = second_derivative(network, x)
hint = second_derivative(compiled, x, allow_unused=True, materialize_grads=True)
inside = both_inside(x)
# endregion


def row(name, values):
    return [name, [round(value, 3) for value in values.flatten().tolist()]]


rows = [
    row("not compiled", exact),
    row("compiled, with allow_unused", hint),
    row("both derivatives inside", inside),
]
show(Table(["second derivative", "values"], rows))
# region checks
assert exact.abs().max() > 0.01
assert not hint.any()
torch.testing.assert_close(inside, exact)
# endregion
