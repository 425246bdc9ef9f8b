"""torch.where computes both sides, and the gradient sees both."""

import torch

from compile_lessons import Table, show


def unsafe(x):
    return torch.where(x > 0, torch.sqrt(x), 0.0)


def safe(x):
    positive = torch.where(x > 0, x, 1.0)
    return torch.where(x > 0, torch.sqrt(positive), 0.0)


def gradient(function):
    x = torch.tensor([4.0, -4.0], requires_grad=True)
    function(x).sum().backward()
    return x.grad.tolist()


def compiled(function):
    return torch.compile(function, backend="aot_eager", fullgraph=True)


rows = [
    ["unsafe", gradient(unsafe), gradient(compiled(unsafe))],
    ["safe", gradient(safe), gradient(compiled(safe))],
]
show(Table(["function", "gradient, eager mode", "gradient, compiled"], rows))

# region checks
assert [str(row[1:]) for row in rows] == [
    "[[0.25, nan], [0.25, nan]]",
    "[[0.25, 0.0], [0.25, 0.0]]",
]
# endregion
