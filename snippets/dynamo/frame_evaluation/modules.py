"""Count the versions that six modules of one class need."""

import torch

from compile_lessons import Table, show


class Block(torch.nn.Module):
    def __init__(self, width=8, dropout=0.0, layer_idx=0):
        super().__init__()
        self.layer_idx, self.linear = layer_idx, torch.nn.Linear(8, width)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.linear(x))


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


cases = {
    "weights": [Block() for _ in range(6)],
    "an index that forward doesn't read": [Block(layer_idx=i) for i in range(6)],
    "train() or eval()": [Block().train(i % 2 == 0) for i in range(6)],
    "frozen or not": [Block().requires_grad_(i % 2 == 0) for i in range(6)],
    "dropout probability": [Block(dropout=i / 10) for i in range(6)],
    "width": [Block(width=8 + i) for i in range(6)],
}
rows, x = [], torch.ones(2, 8)
for difference, blocks in cases.items():
    graphs = []
    torch.compiler.reset()
    [torch.compile(block, backend=keep_graph)(x) for block in blocks]
    rows.append([difference, len(graphs)])
show(Table(["the six modules differ in", "versions"], rows))
# region checks
assert [row[1] for row in rows] == [1, 1, 2, 2, 6, 6]
# endregion
