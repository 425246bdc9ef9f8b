# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""float16 with a GradScaler: the loss is compiled, the scaler's calls are not."""

import torch
import torch.nn.functional as F
from torch import nn

from compile_lessons import Table, capture, show

torch.manual_seed(0)
backend = "aot_eager"
model = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
batches = [(torch.randn(16, 8), torch.randint(4, (16,)))] * 20
losses = []
# region copy
scaler = torch.amp.GradScaler("cpu")  # "cuda" on a GPU


@torch.compile(backend=backend)  # leave backend out for Inductor
def loss_of(x, y):
    with torch.autocast("cpu", dtype=torch.float16):  # "cuda" on a GPU
        return F.cross_entropy(model(x), y)


for x, y in batches:
    loss = loss_of(x, y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # before clipping
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    losses.append(loss.item())
# endregion
scaler.scale(loss_of(x, y)).backward()


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
assert losses[-1] < losses[0]
assert [row[1] for row in rows] == [0, 0, 1, 0]
assert {row[2] for row in rows} == {"Attempted to inline function marked as skipped"}
# endregion
