"""A print in the loop of a model: at best the layers are compiled, each on its own."""

import torch

from compile_lessons import Table, capture, show


class Block(torch.nn.Linear):
    def forward(self, x):
        return torch.relu(super().forward(x))


class Model(torch.nn.Module):
    def __init__(self, layer, verbose):
        super().__init__()
        self.layers = torch.nn.ModuleList(layer(16, 16) for _ in range(3))
        self.verbose = verbose

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if self.verbose:
                print("layer", i)
        return x * 2


def operators_by_graph(model):
    x = torch.ones(2, 16, requires_grad=True)  # as the output of a layer does
    graphs = capture(model, until="dynamo")(x).graphs
    return [" ".join(node.name for node in graph.dynamo.calls) for graph in graphs]


rows = []
for layer, verbose in ((Block, True), (torch.nn.Linear, True), (Block, False)):
    operators = operators_by_graph(Model(layer, verbose))
    rows.append([layer.__name__, str(verbose), "; ".join(operators) or "none"])
show(Table(["layers", "verbose", "graphs"], rows))

# region checks
assert len(operators) == 1
assert [row[2] for row in rows[:2]] == ["linear relu", "none"]
# endregion
