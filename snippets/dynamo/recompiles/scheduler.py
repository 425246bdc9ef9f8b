# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A learning rate that changes at every step, in three optimizers."""

import torch
from torch._dynamo.utils import counters

from compile_lessons import Table, show

model = torch.nn.Linear(4, 4)
model(torch.ones(1, 4)).sum().backward()
tensor = torch.tensor(0.01)
cases = [
    ("Adam", 0.01, {}),
    ("Adam", tensor, {}),
    ("Adam", 0.01, {"foreach": True}),
    ("Adam", tensor, {"foreach": True, "capturable": True}),
    ("SGD", 0.01, {}),
    ("SGD", tensor, {}),
]
rows = []
for name, learning_rate, options in cases:
    torch.compiler.reset()
    counters.clear()
    row = [name + "".join(f", {option}" for option in options), type(learning_rate).__name__]
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=learning_rate, **options)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    step = torch.compile(optimizer.step, backend="aot_eager")
    for _ in range(10):
        step()
        scheduler.step()
        row.append(counters["stats"]["unique_graphs"])
    rows.append(row)

show(Table(["optimizer", "lr is a", *(f"step {i}" for i in (1, 2, 3, 10))], [[*row[:5], row[11]] for row in rows]))
# region checks
limit = [1, 2, 3, 4, 5, 6, 7, 8, 8, 8]
assert [row[2:] for row in rows] == [[1] + [2] * 9, [1] * 10, limit, [1] * 10, limit, [1] * 10]
# endregion
