"""What the branches of torch.cond must not do."""

import logging

import torch

from compile_lessons import Table, show


def step(x):
    return torch.cond(x.sum() > 0, branch, lambda x: -x, (x,))


BRANCHES = {
    "same shape and type": lambda x: x + 1,
    "another shape": lambda x: x.sum(),
    "another type": lambda x: x.double(),
    "returns its input": lambda x: x,
    "changes its input": lambda x: x.add_(1),
    "prints": lambda x: print("taken") or x + 1,
}

torch._logging.set_logs(dynamo=logging.CRITICAL)
rows = []
for what, branch in BRANCHES.items():  # noqa: B007, step reads it
    torch.compiler.reset()
    try:
        torch.compile(step, backend="eager")(torch.ones(4))
        outcome = "works"
    except Exception as error:
        outcome = type(error).__name__
    rows.append([what, outcome])

show(Table(["the true branch", "outcome"], rows))
allowed = sum(outcome == "works" for _, outcome in rows)
assert allowed == 1 and rows[0][1] == "works"
