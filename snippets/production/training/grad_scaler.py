# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Which calls of a GradScaler Dynamo captures."""

import torch

from compile_lessons import Table, capture, show

model = torch.nn.Linear(8, 4)
optimizer = torch.optim.AdamW(model.parameters())
scaler = torch.amp.GradScaler("cpu")
loss = model(torch.ones(2, 8)).square().mean()
scaler.scale(loss).backward()


def scale():
    scaler.scale(loss)


def unscale():
    scaler.unscale_(optimizer)


def step():
    scaler.step(optimizer)


def update():
    scaler.update()


rows = []
for call in (scale, unscale, step, update):
    pipeline = capture(call, until="dynamo", backward=False)()
    rows.append([call.__name__, len(pipeline.graphs), pipeline.breaks[0].gb_type])
show(Table(["compiled", "graphs", "first break"], rows))

# region checks
assert [row[1] for row in rows] == [0, 0, 1, 0]
assert {row[2] for row in rows} == {"Attempted to inline function marked as skipped"}
# endregion
