# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A learning rate that changes at every step, in three optimizers."""

import torch
from torch.optim import SGD, Adam
from torch.optim.lr_scheduler import ExponentialLR

from compile_lessons import Table, keep_graphs, show

model = torch.nn.Linear(4, 4)
model(torch.ones(1, 4)).sum().backward()
weights = list(model.parameters())
rates = [torch.tensor(0.01) for _ in range(3)]  # a scheduler changes it in place
optimizers = {
    "Adam, float": Adam(weights, lr=0.01),
    "Adam, tensor": Adam(weights, lr=rates[0]),
    "Adam, foreach, float": Adam(weights, lr=0.01, foreach=True),
    "Adam, foreach, tensor": Adam(weights, lr=rates[1], foreach=True, capturable=True),
    "SGD, float": SGD(weights, lr=0.01),
    "SGD, tensor": SGD(weights, lr=rates[2]),
}
rows = []
for name, optimizer in optimizers.items():
    torch.compiler.reset()
    kept = keep_graphs(then="aot_eager")
    scheduler = ExponentialLR(optimizer, gamma=0.9)
    compiled_step = torch.compile(optimizer.step, backend=kept)
    for _ in range(10):
        compiled_step()
        scheduler.step()
    rows.append([name, len(kept.graphs), 10 - len(kept.runs)])
show(Table(["optimizer, learning rate", "compiles", "steps in eager mode"], rows))

# region checks
assert [row[1] for row in rows] == [2, 1, 8, 1, 8, 1]
assert [row[2] for row in rows] == [0, 0, 2, 0, 2, 0]
# endregion
