# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""float16 with a GradScaler: the loss is compiled, and which of the scaler's calls fit into a graph."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, capture, show

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.GELU(), torch.nn.Linear(32, 4))
optimizer, backend = torch.optim.AdamW(model.parameters(), lr=0.01), "aot_eager"
batches, losses = [(torch.randn(16, 8), torch.randint(4, (16,)))] * 20, []
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
calls = {"scale": lambda: scaler.scale(loss), "unscale_": lambda: scaler.unscale_(optimizer)}
calls |= {"step": lambda: scaler.step(optimizer), "update": lambda: scaler.update()}
rows = []
for name, call in calls.items():
    pipeline = capture(call, until="dynamo", backward=False)()
    rows.append([f"scaler.{name}", len(pipeline.graphs), pipeline.breaks[0].gb_type])
show(Table(["compiled", "graphs", "first break"], rows))
# region checks
assert losses[-1] < losses[0] and [row[1] for row in rows] == [0, 0, 1, 0]
assert {row[2] for row in rows} == {"Attempted to inline function marked as skipped"}
compiled = []
optimizer.step = torch.compile(optimizer.step, backend=lambda graph, inputs: compiled.append(graph) or graph.forward)
scaler.scale(loss_of(x, y)).backward()
scaler.step(optimizer)
assert compiled  # scaler.step calls the compiled step
# endregion
