# /// lesson
# needs = ["gpu", "triton"]
# timeout = 400
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Compiles of an optimizer's step on a GPU: the rate as a float and as a tensor."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter

from compile_lessons import Table, show


def compiles(optimizer_class, rate, **options):
    torch.compiler.reset()
    counters.clear()
    weights = [torch.nn.Parameter(torch.ones(4, device="cuda")) for _ in range(3)]
    optimizer = optimizer_class(weights, lr=rate, **options)
    [group] = optimizer.param_groups
    step = torch.compile(optimizer.step)
    for number in range(1, 7):
        for weight in weights:
            weight.grad = torch.ones_like(weight)
        if isinstance(rate, float):
            group["lr"] = 0.1 / number
        else:
            group["lr"].fill_(0.1 / number)
        step()
    return counters["stats"]["unique_graphs"]


names = (
    "SGD",
    "RMSprop",
    "Adadelta",
    "Adagrad",
    "Adamax",
    "Adam",
    "AdamW",
    "NAdam",
    "RAdam",
)
calls = [(name, {}) for name in names]
calls += [
    ("Adam", {"foreach": False}),
    ("AdamW", {"foreach": False}),
    ("Adam", {"capturable": True}),
]
rows = []
for name, options in calls:
    optimizer_class = getattr(torch.optim, name)
    counts = [
        compiles(optimizer_class, rate, **options) for rate in (0.1, torch.tensor(0.1))
    ]
    rows.append(
        [name, ", ".join(f"{key}={value}" for key, value in options.items()), *counts]
    )
show(Table(["optimizer", "options", "compiles: float", "compiles: tensor"], rows))
# region checks
assert all(row[2:] == [2 if "foreach=False" in row[1] else 6, 1] for row in rows)
# endregion
