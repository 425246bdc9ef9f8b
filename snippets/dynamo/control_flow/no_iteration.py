"""The gradient through a while_loop that runs no iteration, and the fix."""

import torch

from compile_lessons import Table, show


def is_small(rounds, x):
    return x.sum() < 100


def double(rounds, x):
    return rounds + 1, x * 2


# region functions
def double_until(x):
    start = (torch.tensor(0), x)
    return torch.while_loop(is_small, double, start)[1]


def double_until_fixed(x):
    start = (torch.tensor(0), x)
    rounds, doubled = torch.while_loop(is_small, double, start)
    return torch.where(rounds > 0, doubled, x)


# endregion
def python_loop(x):
    while x.sum() < 100:
        x = x * 2
    return x


def gradient(function, value):
    x = torch.full((4,), value, requires_grad=True)
    function(x).sum().backward()
    return x.grad[0].item()


def compiled(function):
    return torch.compile(function, backend="aot_eager", fullgraph=True)


rows = []
for function in (python_loop, compiled(double_until), compiled(double_until_fixed)):
    gradients = [gradient(function, start) for start in (1.0, 30.0)]
    rows.append([function.__name__, *gradients])
show(Table(["function", "five iterations", "no iteration"], rows))

# region checks
assert [row[1] for row in rows] == [32.0] * 3
assert [row[2] for row in rows] == [1.0, 2.0, 1.0]
assert gradient(double_until, 30.0) == 2.0  # in eager mode too
# endregion
