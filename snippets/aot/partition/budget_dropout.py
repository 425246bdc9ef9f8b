# /// lesson
# needs = ["compiler"]
# ///
"""Dropout under a memory budget: the backward pass draws a different mask."""

import torch
from torch._functorch import config
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from compile_lessons import Table, show


# region functions
def dropped(weight):
    return functional.dropout(weight.expand(1000, 3))


def checkpointed(weight):
    return checkpoint(dropped, weight, use_reentrant=False)


# endregion
def row(function, budget):
    torch.compiler.reset()
    torch.manual_seed(0)
    config.activation_memory_budget = budget
    weight = torch.ones(3, requires_grad=True)
    y = torch.compile(function)(weight)
    y.sum().backward()
    sums = y.sum(0).int().tolist()  # of ones: sums and gradient count the same mask
    gradient = weight.grad.int().tolist()
    equal = "yes" if sums == gradient else "NO"
    return [function.__name__, budget, sums, gradient, equal]


functions = (dropped, checkpointed)
rows = [row(function, budget) for function in functions for budget in (1.0, 0.5)]
columns = ["function", "budget", "sums of the result", "gradient of weight", "equal"]
show(Table(columns, rows))
# region checks
assert [row[-1] for row in rows] == ["yes", "NO", "yes", "NO"]
# endregion
