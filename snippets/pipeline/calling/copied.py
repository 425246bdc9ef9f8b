"""A copy of a module compiled in place is not compiled."""

import copy

import torch

from compile_lessons import Table, show


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sin() * 2


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, rows, model = [], [], Model()
model.compile(backend=keep_graph)
average = copy.deepcopy(model)  # such as a moving average of the weights
for name, module in {"model": model, "copy.deepcopy(model)": average}.items():
    torch.compiler.reset()
    graphs.clear()
    module(torch.ones(4))
    rows.append([name, len(graphs)])
show(Table(["you call", "graphs"], rows))

# region checks
assert [row[1] for row in rows] == [1, 0]
# endregion
