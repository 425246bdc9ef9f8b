"""A module's layers, parameters and flags in the graph."""

import torch

from compile_lessons import Table, capture, show


class MLP(torch.nn.Module):
    def __init__(self, size, depth, residual):
        super().__init__()
        layers = [torch.nn.Linear(size, size) for _ in range(depth)]
        self.layers = torch.nn.ModuleList(layers)
        self.residual = residual

    def forward(self, x):
        for layer in self.layers:
            y = torch.relu(layer(x))
            x = (x + y) if self.residual else y
        return x


pipeline = capture(MLP(4, depth=2, residual=True), until="dynamo")(torch.ones(3, 4))
[graph] = pipeline.graphs
rows = []
for node in graph.dynamo.nodes[:-1]:  # all but the output
    # l_self_modules_layers_modules_0_parameters_bias_ is layers.0.bias
    name = node.name.removeprefix("l_self_modules_").strip("_")
    name = name.replace("_modules_", ".").replace("_parameters_", ".")
    target = "an input" if node.op == "placeholder" else str(node.target)
    rows.append([name, target])
show(Table(["node", "target"], rows))

# region checks
inputs = [node for node in graph.dynamo.nodes if node.op == "placeholder"]
assert len(inputs) == 5
assert len(graph.dynamo.calls) == 6
assert any("residual" in guard.source for guard in pipeline.guards)
# endregion
