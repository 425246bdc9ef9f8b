"""nested_compile_region: equal blocks share one subgraph."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, capture, show


class Block(torch.nn.Linear):
    def forward(self, x):
        return x + torch.tanh(F.linear(x, self.weight, self.bias))


class MarkedBlock(Block):
    @torch.compiler.nested_compile_region
    def forward(self, x):
        return x + torch.tanh(F.linear(x, self.weight, self.bias))


x = torch.ones(8, 16, requires_grad=True)
rows = []
for kind in (Block, MarkedBlock):
    model = torch.nn.Sequential(*[kind(16, 16) for _ in range(12)])
    [graph] = capture(model, until="dynamo", fullgraph=True)(x).graphs
    subgraphs = [len(sub.graph.calls) for sub in graph.dynamo.subgraphs]
    rows.append([kind.__name__, len(graph.dynamo.calls), str(subgraphs)])
show(Table(["block", "operations in the graph", "operations in its subgraphs"], rows))

# region checks
assert [row[1:] for row in rows] == [[36, "[]"], [24, "[3]"]]
targets = [node.target for node in graph.dynamo.calls]
assert targets == ["invoke_subgraph", "operator.getitem"] * 12
# endregion
