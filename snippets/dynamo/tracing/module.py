"""A module's layers, parameters and flags in the graph."""

import re

import torch

from compile_lessons import Table, show


class MLP(torch.nn.Module):
    def __init__(self, size, depth, residual):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(size, size) for _ in range(depth))
        self.residual = residual

    def forward(self, x):
        for layer in self.layers:
            y = torch.relu(layer(x))
            x = x + y if self.residual else y
        return x


explanation = torch._dynamo.explain(MLP(4, depth=2, residual=True))(torch.ones(3, 4))
[graph_module] = explanation.graphs

rows = []
for node in graph_module.graph.nodes:
    arguments = ", ".join(map(str, node.args))
    cells = [node.op, node.name, getattr(node.target, "__name__", ""), arguments]
    rows.append([re.sub(r"l_self_modules_layers_modules_(\d)_parameters_([a-z]+)_", r"\1.\2", c) for c in cells])
show(Table(["op", "name", "calls", "with"], rows))

ops, inputs = explanation.op_count, sum(row[0] == "placeholder" for row in rows)
print(f"{inputs} inputs, {ops} operations")
assert (inputs, ops) == (5, 6)
assert any("residual" in guard.name for guard in explanation.out_guards)
assert [row[2] for row in rows if row[2]] == ["linear", "relu", "add"] * 2
