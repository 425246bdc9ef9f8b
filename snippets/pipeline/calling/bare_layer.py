"""compile() on a layer of torch.nn compiles nothing; torch.compile does."""

import torch
from torch import nn

from compile_lessons import Table, show


class Mine(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        return self.linear(x)


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def graphs_of(call):
    torch.compiler.reset()
    graphs.clear()
    call(torch.ones(2, 3, 8))
    return len(graphs)


graphs, rows = [], []
for make in [Mine, lambda: nn.Linear(8, 8), lambda: nn.TransformerEncoderLayer(8, 2, batch_first=True)]:
    in_place, wrapped = make(), torch.compile(make(), backend=keep_graph)
    in_place.compile(backend=keep_graph)
    rows.append([type(in_place).__name__, graphs_of(in_place), graphs_of(wrapped)])
show(Table(["module", "module.compile()", "torch.compile(module)"], rows))

# region checks
assert [row[1:] for row in rows] == [[1, 1], [0, 1], [0, 1]]
# endregion
