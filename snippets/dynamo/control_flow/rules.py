# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""What a branch of torch.cond may do, in training and in inference."""

import warnings

import torch

from compile_lessons import Table, show


# region branches
def print_and_add(x):
    print("taken")
    return x + 1


BRANCHES = {
    "same shape and dtype": lambda x: x + 1,
    "returns its input": lambda x: x,
    "a different dtype": lambda x: x.double(),
    "a different number of dimensions": lambda x: x.sum(),
    "a different size": lambda x: x[:2].clone(),
    "changes its input": lambda x: x.add_(1).clone(),
    "prints": print_and_add,
}
# endregion


def outcome(branch, train):
    def step(x):
        return torch.cond(x.sum() > 0, branch, torch.neg, (x,))

    torch.compiler.reset()
    with torch.set_grad_enabled(train):
        x = torch.ones(4, requires_grad=train) * 1
        try:
            y = torch.compile(step, backend="aot_eager")(x)
        except RuntimeError as error:
            return type(error).__name__
    return f"works, {tuple(y.shape)}"


warnings.simplefilter("ignore")  # the table has the errors
rows = []
for name, branch in BRANCHES.items():
    rows.append([name, outcome(branch, train=True), outcome(branch, train=False)])
show(Table(["the true branch", "training", "no_grad"], rows))

# region checks
training = [row[1].startswith("works") for row in rows]
assert training == [True] + [False] * 6
without_gradients = [row[2].startswith("works") for row in rows]
assert without_gradients == [True] + [False] * 3 + [True] * 2 + [False]
# endregion
