"""Training mode is guarded only if the forward pass reads it."""

import torch
from torch import nn

from compile_lessons import Table, keep_graphs, show

models = {
    "Linear, Dropout": nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)),
    "Linear, GELU": nn.Sequential(nn.Linear(4, 4), nn.GELU()),
}
rows = []
for name, model in models.items():
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(model, backend=kept)
    counts = []
    for mode in (True, False, True, False):
        model.train(mode)
        compiled(torch.ones(2, 4))
        counts.append(len(kept.graphs))
    rows.append([name, *counts])
columns = ["model", "train", "eval", "train again", "eval again"]
show(Table(columns, rows))

# region checks
assert [row[1:] for row in rows] == [[1, 2, 2, 2], [1, 1, 1, 1]]
# endregion
