"""compile() on a layer of torch.nn compiles nothing, and fullgraph=True reports it."""

import torch
from torch import nn

from compile_lessons import Table, show


class Mine(nn.Module):
    def forward(self, x):
        return x.sin() * 2


class Narrow(nn.Linear):  # a subclass that inherits forward
    pass


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def outcome(module):
    torch.compiler.reset()
    graphs.clear()
    try:
        module(torch.ones(2, 8))
    except RuntimeError as error:
        return type(error).__name__
    return f"graphs: {len(graphs)}"


graphs, rows = [], []
for make in [Mine, lambda: nn.Linear(8, 8), lambda: Narrow(8, 8), lambda: nn.Sequential(nn.Linear(8, 8), nn.ReLU())]:
    in_place, whole, wrapped = make(), make(), torch.compile(make(), backend=keep_graph)
    in_place.compile(backend=keep_graph)
    whole.compile(backend=keep_graph, fullgraph=True)
    rows.append([type(in_place).__name__, outcome(in_place), outcome(whole), outcome(wrapped)])
show(Table(["module", "compile()", "compile(fullgraph=True)", "torch.compile(module)"], rows))

# region checks
one, none = "graphs: 1", "graphs: 0"
assert [row[1:] for row in rows] == [[one, one, one]] + [[none, "RuntimeError", one]] * 3
# endregion
