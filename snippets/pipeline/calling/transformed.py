"""A function from torch.func around a compiled function, and torch.compile around both."""

import torch
from torch._dynamo.testing import CompileCounter
from torch.func import grad, jacrev, vmap

from compile_lessons import Table, show


def loss(weight, row):
    return torch.tanh(row @ weight).sum()


def each_row(function):
    return vmap(function, in_dims=(None, 0))


weight, rows = torch.randn(4, 4), torch.randn(8, 4)
transforms = {
    "vmap": (each_row, rows),
    "grad": (grad, rows[0]),
    "jacrev": (jacrev, rows[0]),
    "vmap of grad": (lambda function: each_row(grad(function)), rows),
}
table, right = [], []
for name, (transform, x) in transforms.items():
    inside, outside = CompileCounter(), CompileCounter()
    results = [
        transform(torch.compile(loss, backend=inside))(weight, x),
        torch.compile(transform(loss), backend=outside)(weight, x),
    ]
    right += [torch.allclose(result, transform(loss)(weight, x)) for result in results]
    table.append([name, inside.frame_count, outside.frame_count])
show(Table(["transform", "graphs if the function is compiled", "graphs if the transformed function is compiled"], table))
# region checks
assert [row[1:] for row in table] == [[0, 1]] * 4 and all(right)
# endregion
