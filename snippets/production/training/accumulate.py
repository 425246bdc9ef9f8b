# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Gradient accumulation, inside the compiled function and outside of it."""

import torch
from torch import nn

from compile_lessons import Table, keep_graphs, show

x = torch.ones(4, 8)
model = nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 1))
optimizer = torch.optim.AdamW(model.parameters())


def loss_of(x):
    return model(x).square().mean() / 4


def train_batch(x, batch, loss_of=loss_of):
    loss_of(x).backward()
    if batch % 4 == 3:
        optimizer.step()
        optimizer.zero_grad()


step_graphs = keep_graphs()
loss_graphs = keep_graphs()
compiled_step = torch.compile(train_batch, backend=step_graphs)
compiled_loss = torch.compile(loss_of, backend=loss_graphs)
step_compiles = []
loss_compiles = []
for batch in range(8):
    compiled_step(x, batch)
    step_compiles.append(len(step_graphs.graphs))
    train_batch(x, batch, compiled_loss)
    loss_compiles.append(len(loss_graphs.graphs))
rows = [["whole step", *step_compiles], ["loss", *loss_compiles]]
show(Table(["compiled", *(f"{batch + 1}" for batch in range(8))], rows))

# region checks
assert step_compiles == [1, 1, 1, 2, 2, 2, 2, 2]
assert loss_compiles == [1] * 8
# endregion
