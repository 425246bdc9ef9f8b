"""What the branches of torch.cond must not do."""

import logging

import torch

from compile_lessons import Table, show


def negate(x):
    return -x


def noisy(x):
    print("taken")
    return -x


BRANCHES = {
    "same shape and type": lambda x: x + 1,
    "another shape": lambda x: x.sum(),
    "another type": lambda x: x.double(),
    "returns its input": lambda x: x,
    "changes its input": lambda x: x.add_(1),
    "a print": noisy,
}

torch._logging.set_logs(dynamo=logging.CRITICAL)
rows = []
for what, branch in BRANCHES.items():
    torch.compiler.reset()
    try:
        compiled = torch.compile(lambda x: torch.cond(x.sum() > 0, branch, negate, (x,)), backend="eager")  # noqa: B023
        compiled(torch.ones(4))
        outcome = "works"
    except Exception as error:
        outcome = type(error).__name__
    rows.append([what, outcome])

show(Table(["the true branch", "outcome"], rows))
allowed = sum(outcome == "works" for _, outcome in rows)
assert allowed == 1 and rows[0][1] == "works"
