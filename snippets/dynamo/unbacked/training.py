# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS = "-aot"}
# ///
"""Slice by a number from the data, in training: the bound must not be negative."""

import torch

from compile_lessons import Table, show


def first(x, n):
    return x[:n].sum()


# region copy
def first_checked(x, n):
    torch._check(n >= 0)
    return x[:n].sum()


def last_checked(x, n):
    torch._check(n >= 0)
    torch._check(n <= len(x))
    return x[len(x) - n :].sum()


# endregion
def train(function):
    def step(x):
        return function(x, lengths.max().item())

    x = torch.ones(8, requires_grad=True)
    lengths = torch.tensor([1, 3])
    try:
        torch.compile(step, fullgraph=True)(x).backward()
    # torch has no public name for this error
    except torch._inductor.exc.InductorError as error:
        return str(error).partition("Node: ")[2].partition(" (")[0]
    return f"works, {int(x.grad.sum())} rows have a gradient"


functions = (first, first_checked, last_checked)
rows = [[function.__name__, train(function)] for function in functions]
show(Table(["function", "loss.backward()"], rows))

# region checks
assert [row[1].startswith("works, 3") for row in rows] == [False, True, True]
# endregion
