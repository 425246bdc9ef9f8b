"""A second derivative through a compiled network: an error, a silent zero, and the right numbers."""

import torch

from compile_lessons import Table, show

torch.manual_seed(0)
network = torch.nn.Sequential(torch.nn.Linear(1, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
compiled = torch.compile(network, backend="aot_eager")


def second(u, x, **options):
    [slope] = torch.autograd.grad(u(x).sum(), x, create_graph=True)
    return torch.autograd.grad(slope.sum(), x, **options)[0]


@torch.compile(backend="aot_eager", fullgraph=True)
def second_inside(x):
    slope = torch.func.grad(lambda x: network(x).sum())
    return torch.func.grad(lambda x: slope(x).sum())(x)


x = torch.linspace(0, 3, 4)[:, None].requires_grad_()
try:
    second(compiled, x)
except RuntimeError as error:
    print(error)
exact = second(network, x)
hint = second(compiled, x, allow_unused=True, materialize_grads=True)
rows = [["not compiled", exact], ["compiled, with allow_unused", hint], ["both derivatives inside", second_inside(x)]]
show(Table(["second derivative", "values"], [[name, [round(v, 3) for v in u.flatten().tolist()]] for name, u in rows]))
# region checks
assert exact.abs().max() > 0.01 and not hint.any()
torch.testing.assert_close(rows[2][1], exact)
# endregion
