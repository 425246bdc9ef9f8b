# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS = "-aot"}
# ///
"""Slice by a number from the data, in training: Inductor has to know that the bound isn't negative."""

import torch

from compile_lessons import Table, show


def first(x, n):
    return x[:n].sum()


# region copy
def first_checked(x, n):
    torch._check(n >= 0)
    return x[:n].sum()


def last_checked(x, n):
    torch._check(n <= len(x))
    return x[len(x) - n :].sum()


# endregion
def train(function):
    x, lengths = torch.ones(8, requires_grad=True), torch.tensor([1, 3])
    try:
        torch.compile(lambda x: function(x, lengths.max().item()), fullgraph=True)(x).backward()
    except torch._inductor.exc.InductorError as error:
        return str(error).partition("Node: ")[2].partition(" (")[0]
    return f"works, {int(x.grad.sum())} rows have a gradient"


rows = [[function.__name__, train(function)] for function in (first, first_checked, last_checked)]
show(Table(["function", "loss.backward()"], rows))
# region checks
assert [row[1].startswith("works, 3") for row in rows] == [False, True, True]
# endregion
