"""Layers of torch.nn in Dynamo's graph: calls to functions; an LSTM isn't captured."""

import torch
from torch import nn

from compile_lessons import Table, keep_graphs, show


class Tagger(nn.Sequential):
    def forward(self, x):
        x = torch.relu(self[0](x))
        x, _ = self[1](x)
        return self[2](x)


layers = {
    "Conv1d": nn.Conv1d(2, 2, 1),
    "Linear": nn.Linear(4, 4),
    "LayerNorm": nn.LayerNorm(4),
    "LSTMCell": nn.LSTMCell(4, 4),
    "LSTM": nn.LSTM(4, 4),
    "Linear, ReLU, LSTM, Linear": Tagger(
        nn.Linear(4, 4), nn.LSTM(4, 4), nn.Linear(4, 2)
    ),
}


# region graphs
def nodes_of(graphs, op):
    return [node for graph in graphs for node in graph.graph.nodes if node.op == op]


rows = []
for name, layer in layers.items():
    torch.compiler.reset()
    kept = keep_graphs()
    torch.compile(layer, backend=kept)(torch.ones(2, 4))
    called = nodes_of(kept.graphs, "call_function")
    names = ", ".join(node.target.__name__ for node in called)
    modules = len(nodes_of(kept.graphs, "call_module"))
    inputs = len(nodes_of(kept.graphs, "placeholder"))
    rows.append([name, len(kept.graphs), names, modules, inputs])
show(Table(["layer", "graphs", "called functions", "called modules", "inputs"], rows))
# endregion
# region checks
assert [row[1] for row in rows] == [1, 1, 1, 1, 0, 1]
assert [row[3] for row in rows] == [0] * 6
assert [row[4] for row in rows[:3]] == [3, 3, 3]
assert rows[-1][2] == "linear, relu"  # nothing after the LSTM
# endregion
