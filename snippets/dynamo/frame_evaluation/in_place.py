"""Modules compiled in place: fullgraph=True tells when no frame was compiled."""

import torch

from compile_lessons import Table, show


class Double(torch.nn.Module):
    def forward(self, x):
        return x * 2


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


rows, x = [], torch.ones(2, 4)
modules = {
    "Double()": Double,
    "Linear(4, 4)": lambda: torch.nn.Linear(4, 4),
    "Sequential(ReLU())": lambda: torch.nn.Sequential(torch.nn.ReLU()),
    "Sequential(Double())": lambda: torch.nn.Sequential(Double()),
}
for name, make in modules.items():
    torch.compiler.reset()
    graphs, module, checked = [], make(), make()
    module.compile(backend=keep_graph)
    module(x)
    in_place = len(graphs)
    torch.compiler.reset()
    torch.compile(make(), backend=keep_graph)(x)
    checked.compile(backend="eager", fullgraph=True)
    try:
        checked(x)
        outcome = "no error"
    except RuntimeError as error:
        outcome = str(error).split(". ")[0]
    rows.append([name, in_place, len(graphs) - in_place, outcome])
show(Table(["module", "module.compile()", "torch.compile(module)", "module.compile(fullgraph=True)"], rows))
# region checks
assert [row[1:3] for row in rows] == [[1, 1], [0, 1], [0, 1], [1, 1]]
# endregion
