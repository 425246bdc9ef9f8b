"""Hooks and an autograd.Function under fullgraph=True, and the graphs without it."""

import torch
from _count import compiles
from torch import nn

from compile_lessons import Table, show


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def with_hook(layer, register):
    getattr(layer, register)(lambda module, *values: None)
    return layer


functions = {
    "a forward hook on a Linear": with_hook(nn.Linear(4, 4), "register_forward_hook"),
    "a forward hook on a Conv1d": with_hook(nn.Conv1d(2, 2, 1), "register_forward_hook"),
    "a forward pre-hook": with_hook(nn.Linear(4, 4), "register_forward_pre_hook"),
    "an autograd.Function": Double.apply,
    "a backward hook on a module": with_hook(nn.Linear(4, 4), "register_full_backward_hook"),
}
rows, x = [], torch.ones(2, 4, requires_grad=True)
for name, function in functions.items():
    try:
        compiles(function, [(x,)], fullgraph=True)
        result = "traced"
    except torch._dynamo.exc.Unsupported as error:
        result = str(error).splitlines()[0]
    rows.append([name, result, compiles(function, [(x,)])])
show(Table(["the function has", "fullgraph=True", "graphs without fullgraph"], rows))
# region checks
assert [row[1] == "traced" for row in rows] == [True] * 4 + [False]
assert [row[2] for row in rows] == [1, 1, 1, 1, 0]
# endregion
