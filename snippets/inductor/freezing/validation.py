# /// lesson
# needs = ["compiler"]
# ///
"""Train, and validate with freezing on: the compiled model never learns."""

import torch
from torch import nn
from torch._inductor import config

from compile_lessons import Table, show

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 32, bias=False), nn.GELU(), nn.Linear(32, 9))
compiled = torch.compile(model)
inputs = torch.randn(256, 16)
labels = inputs[:, :9].argmax(1)
# region loop
config.freezing = True
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
rows = []
for epoch in range(1, 4):
    for _ in range(20):
        loss = nn.functional.cross_entropy(model(inputs), labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    with torch.no_grad():
        right = (model(inputs).argmax(1) == labels).float().mean()
        reported = (compiled(inputs).argmax(1) == labels).float().mean()
    rows.append([epoch, f"{right:.0%}", f"{reported:.0%}"])
show(Table(["epoch", "accuracy", "with freezing"], rows))
# endregion
# region checks
assert rows[0][1] == rows[0][2]
assert int(rows[2][1][:-1]) > int(rows[2][2][:-1]) + 5
# endregion
