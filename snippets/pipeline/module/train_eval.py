"""Training mode is guarded only if the forward pass reads it."""

import torch
from torch import nn

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


rows, x = [], torch.ones(2, 4)
for name, model in {
    "Linear, Dropout": nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)),
    "Linear, GELU": nn.Sequential(nn.Linear(4, 4), nn.GELU()),
}.items():
    torch.compiler.reset()
    graphs, counts = [], []
    compiled = torch.compile(model, backend=keep_graph)
    for mode in [True, False, True, False]:
        model.train(mode)
        compiled(x)
        counts.append(len(graphs))
    rows.append([name, *counts])
show(Table(["graphs after a call of", "train", "eval", "train again", "eval again"], rows))

# region checks
assert [row[1:] for row in rows] == [[1, 2, 2, 2], [1, 1, 1, 1]]
# endregion
