"""Layers of torch.nn in Dynamo's graph: calls to functions, with the parameters as inputs; an LSTM isn't captured."""

import torch
from torch import nn

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


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
    "Linear, ReLU, LSTM, Linear": Tagger(nn.Linear(4, 4), nn.LSTM(4, 4), nn.Linear(4, 2)),
}
rows = []
for name, layer in layers.items():
    torch.compiler.reset()
    graphs: list[torch.fx.GraphModule] = []
    torch.compile(layer, backend=keep_graph)(torch.ones(2, 4))
    nodes = [node for graph in graphs for node in graph.graph.nodes]
    called = [node.target.__name__ for node in nodes if node.op == "call_function"]
    modules = sum(node.op == "call_module" for node in nodes)
    inputs = sum(node.op == "placeholder" for node in nodes)
    rows.append([name, len(graphs), ", ".join(called), modules, inputs])
show(Table(["layer", "graphs", "called functions", "called modules", "inputs"], rows))
# region checks
assert [row[1] for row in rows] == [1, 1, 1, 1, 0, 1] and [row[3] for row in rows] == [0] * 6
assert [row[4] for row in rows[:3]] == [3, 3, 3] and rows[-1][2] == "linear, relu"  # nothing after the LSTM
# endregion
