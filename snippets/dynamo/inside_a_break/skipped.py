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


rows = []
for layer, verbose in ((Block, True), (torch.nn.Linear, True), (Block, False)):
    pipeline = capture(Model(layer, verbose), until="dynamo")(torch.ones(2, 16, requires_grad=True))
    graphs = [" ".join(node.name for node in graph.dynamo.calls) for graph in pipeline.graphs]
    rows.append([layer.__name__, "yes" if verbose else "no", "; ".join(graphs) or "none"])
show(Table(["layers", "print in the loop", "graphs"], rows))

# region checks
assert len(graphs) == 1 and [row[2] for row in rows[:2]] == ["linear relu", "none"]
# endregion
