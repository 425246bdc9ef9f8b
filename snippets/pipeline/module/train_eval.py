"""Training and evaluation are two compiles: a module's mode is guarded."""

import torch
from torch import nn

from compile_lessons import Table, show

model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
graphs = []


def keep(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


compiled = torch.compile(model, backend=keep)
x = torch.ones(2, 4)
rows = []
for mode in [True, False, True, False]:
    before = len(graphs)
    model.train(mode)
    y = compiled(x)
    dropout = [
        node.args[1:3] for graph in graphs[before:] for node in graph.graph.nodes if "dropout" in str(node.target)
    ]
    rows.append([f"training={mode}", len(graphs) - before, dropout[0] if dropout else ""])
    if not mode:
        torch.testing.assert_close(y, model[0](x))

show(Table(["call with", "compiles", "dropout's p and training in the new graph"], rows))
compiles = len(graphs)
assert [row[1] for row in rows] == [1, 1, 0, 0]
