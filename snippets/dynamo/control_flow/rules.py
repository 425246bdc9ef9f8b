"""What a branch of torch.cond may do, in training and in inference."""

import logging
import warnings

import torch

from compile_lessons import Table, show

BRANCHES = {
    "same shape and dtype": lambda x: x + 1,
    "returns its input": lambda x: x,
    "a different dtype": lambda x: x.double(),
    "a different number of dimensions": lambda x: x.sum(),
    "a different size": lambda x: x[:2].clone(),
    "changes its input": lambda x: x.add_(1).clone(),
    "prints": lambda x: print("taken") or x + 1,
}


def outcome(branch, train):
    def step(x):
        return torch.cond(x.sum() > 0, branch, lambda x: -x, (x,))

    torch.compiler.reset()
    x = torch.ones(4, requires_grad=train) * 1
    try:
        with torch.set_grad_enabled(train):
            y = torch.compile(step, backend="aot_eager")(x)
        return f"works, {tuple(y.shape)}"
    except RuntimeError as error:
        return type(error).__name__


torch._logging.set_logs(all=logging.CRITICAL)
warnings.simplefilter("ignore")  # the table has the errors
rows = [[what, outcome(branch, train=True), outcome(branch, train=False)] for what, branch in BRANCHES.items()]
show(Table(["the true branch", "training", "no_grad"], rows))

# region checks
assert [row[1].startswith("works") for row in rows] == [True] + [False] * 6
assert [row[2].startswith("works") for row in rows] == [True] + [False] * 3 + [True] * 2 + [False]
# endregion
