"""A copy of a module compiled in place is not compiled."""

import copy

import torch

from compile_lessons import Table, keep_graphs, show


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sin() * 2


kept = keep_graphs()
model = Model()
model.compile(backend=kept)
average = copy.deepcopy(model)  # such as a moving average of the weights
model(torch.ones(4))
rows = [["model", len(kept.runs)]]
average(torch.ones(4))
rows.append(["copy.deepcopy(model)", len(kept.runs) - 1])
show(Table(["you call", "runs of a graph"], rows))

# region checks
assert [row[1] for row in rows] == [1, 0]
# endregion
