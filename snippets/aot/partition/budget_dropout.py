# /// lesson
# needs = ["compiler"]
# ///
"""Dropout under a memory budget: the backward pass draws a different mask than the forward pass."""

import torch
import torch._functorch.config
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from compile_lessons import Table, show


def dropped(weight):
    return functional.dropout(weight.expand(1000, 3))


def checkpointed(weight):
    return checkpoint(dropped, weight, use_reentrant=False)


rows = []
for function in (dropped, checkpointed):
    for budget in (1.0, 0.5):
        torch.compiler.reset()
        torch.manual_seed(0)
        weight = torch.ones(3, requires_grad=True)
        with torch._functorch.config.patch(activation_memory_budget=budget):
            y = torch.compile(function)(weight)
            y.sum().backward()
        sums, gradient = y.sum(0).int().tolist(), weight.grad.int().tolist()  # of ones, both count the same mask
        rows.append([function.__name__, budget, sums, gradient, "yes" if sums == gradient else "NO"])
show(Table(["function", "budget", "sums of the result", "gradient of weight", "equal"], rows))
# region checks
assert [row[-1] for row in rows] == ["yes", "NO", "yes", "NO"]
# endregion
