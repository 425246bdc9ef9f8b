"""Two rewrites of one sort; one of them differs when the keys are equal."""

import torch

from compile_lessons import Table, show


def by_sorting(x):
    return sorted([x, -x], key=lambda t: t[0])[1]


def less_than(x):
    return torch.where(x[0] < 0, -x, x)


def greater_than(x):
    return torch.where(x[0] > 0, x, -x)


functions = (by_sorting, less_than, greater_than)
inputs = torch.tensor([[2.0, 1.0], [-2.0, 1.0], [0.0, 1.0]])
rows = [[str(x.tolist()), *(str(function(x).tolist()) for function in functions)] for x in inputs]
show(Table(["input", *(function.__name__ for function in functions)], rows))

# region checks
equal = [[torch.equal(function(x), by_sorting(x)) for x in inputs] for function in functions]
assert equal == [[True] * 3, [True, True, False], [True] * 3]
# endregion
