"""A transform of torch.func around a compiled function, and torch.compile outside."""

import torch
from torch.func import grad, vmap

from compile_lessons import Table, keep_graphs, show


# region transforms
def loss(weight, row):
    return torch.tanh(row @ weight).sum()


def each_row(function):
    return vmap(function, in_dims=(None, 0))


def grad_of_each_row(function):
    return each_row(grad(function))


# endregion
def count_runs(transform, x):
    """Count runs of a graph: in the transform, later, and compiled outside."""
    torch.compiler.reset()
    kept = keep_graphs(then="aot_eager")
    expected = transform(loss)(weight, x)
    compiled = torch.compile(loss, backend=kept)
    torch.testing.assert_close(transform(compiled)(weight, x), expected)
    inside = len(kept.runs)
    compiled(weight, batch[0])
    later = len(kept.runs) - inside
    torch.compiler.reset()
    outside = torch.compile(transform(loss), backend=kept)
    torch.testing.assert_close(outside(weight, x), expected)
    return [inside, later, len(kept.runs) - inside - later]


weight = torch.randn(4, 4)
batch = torch.randn(8, 4)
rows = [
    ["vmap", *count_runs(each_row, batch)],
    ["grad", *count_runs(grad, batch[0])],
    ["vmap of grad", *count_runs(grad_of_each_row, batch)],
]
columns = [
    "runs: transform(compiled)",
    "then compiled itself",
    "torch.compile(transform(loss))",
]
show(Table(["runs of a graph in", *columns], rows))

# region checks
assert [row[1:] for row in rows] == [[0, 0, 1]] * 3
# endregion
