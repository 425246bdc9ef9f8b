# /// lesson
# needs = ["compiler"]
# ///
"""A transform of torch.func around a compiled function, a later call of that function, and torch.compile outside."""

import torch
from torch._dynamo.utils import counters
from torch.func import grad, vmap

from compile_lessons import Table, show


def loss(weight, row):
    return torch.tanh(row @ weight).sum()


def each_row(function):
    return vmap(function, in_dims=(None, 0))


def graphs(function, uncompiled, x):
    counters.clear()
    torch.testing.assert_close(function(weight, x), uncompiled(weight, x))
    return counters["stats"]["unique_graphs"]


weight, rows = torch.randn(4, 4), torch.randn(8, 4)
transforms = {"vmap": (each_row, rows), "grad": (grad, rows[0]), "vmap of grad": (lambda f: each_row(grad(f)), rows)}
table = []
for name, (transform, x) in transforms.items():
    torch.compiler.reset()
    compiled = torch.compile(loss)
    inside = graphs(transform(compiled), transform(loss), x)
    later = graphs(compiled, loss, rows[0])
    torch.compiler.reset()
    outside = graphs(torch.compile(transform(loss)), transform(loss), x)
    table.append([name, inside, later, outside])
columns = ["transform", "transform(compiled)", "then compiled itself", "torch.compile(transform(loss))"]
show(Table([columns[0], *(f"graphs: {column}" for column in columns[1:])], table))
# region checks
assert [row[1:] for row in table] == [[0, 0, 1]] * 3
# endregion
