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


def do_nothing(module, *values):
    return None


# region hooks
linear = nn.Linear(4, 4)
linear.register_forward_hook(do_nothing)
conv = nn.Conv1d(2, 2, 1)
conv.register_forward_hook(do_nothing)
with_pre_hook = nn.Linear(4, 4)
with_pre_hook.register_forward_pre_hook(do_nothing)
with_backward_hook = nn.Linear(4, 4)
with_backward_hook.register_full_backward_hook(do_nothing)
functions = {
    "a forward hook on a Linear": linear,
    "a forward hook on a Conv1d": conv,
    "a forward pre-hook": with_pre_hook,
    "an autograd.Function": Double.apply,
    "a backward hook on a module": with_backward_hook,
}
# endregion
rows = []
x = torch.ones(2, 4, requires_grad=True)
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
