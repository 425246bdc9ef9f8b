"""Gradients through cond, while_loop, scan and map match those of the same loops in Python."""

import torch
from torch._higher_order_ops.map import map as map_over
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop

from compile_lessons import Table, show


def add(total, x):
    total = total + x * x
    return total, total.clone()


functions = {
    "cond": (lambda x: torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)), torch.sin),
    "while_loop": (
        lambda x: while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * x), (torch.tensor(0), x))[1],
        lambda x: x**8,
    ),
    "scan": (lambda x: scan(add, torch.zeros(3), x)[1], lambda x: (x * x).cumsum(0)),
    "map": (lambda x: map_over(torch.exp, x), torch.exp),
}


def gradient(function):
    x = torch.linspace(0.1, 1.0, 12).reshape(4, 3).requires_grad_()
    function(x).sum().backward()
    return x.grad


rows = []
for name, (operator, same) in functions.items():
    compiled = torch.compile(operator, backend="aot_eager", fullgraph=True)
    rows.append([name, str(torch.allclose(gradient(compiled), gradient(same)))])
show(Table(["operator", "gradient matches"], rows))

# region checks
assert all(row[1] == "True" for row in rows)
# endregion
