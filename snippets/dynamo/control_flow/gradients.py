"""Gradients through cond, while_loop, scan and map match those of ordinary code."""

import torch
from torch._higher_order_ops.map import map as map_over  # no public name
from torch._higher_order_ops.scan import scan  # no public name

from compile_lessons import Table, show


# region functions
def branch(x):
    return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))


def square_three_times(x):
    start = (torch.tensor(0), x)
    return torch.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * x), start)[1]


def add_square(total, x):
    total = total + x * x
    return total, total.clone()


def sum_squares(x):
    return scan(add_square, torch.zeros(3), x)[1]


def exp_of_rows(x):
    return map_over(torch.exp, x)


# endregion
def gradient(function):
    x = torch.linspace(0.1, 1.0, 12).reshape(4, 3).requires_grad_()
    function(x).sum().backward()
    return x.grad


pairs = {
    branch: torch.sin,
    square_three_times: lambda x: x**8,
    sum_squares: lambda x: (x * x).cumsum(0),
    exp_of_rows: torch.exp,
}
rows = []
for function, ordinary in pairs.items():
    compiled = torch.compile(function, backend="aot_eager", fullgraph=True)
    matches = torch.allclose(gradient(compiled), gradient(ordinary))
    rows.append([function.__name__, str(matches)])
show(Table(["function", "gradient matches"], rows))

# region checks
assert [row[1] for row in rows] == ["True"] * 4
# endregion
