"""Count the versions that six modules of one class need."""

import torch

from compile_lessons import Table, keep_graphs, show


class Block(torch.nn.Module):
    def __init__(self, width=8, dropout=0.0, layer_idx=0):
        super().__init__()
        self.layer_idx = layer_idx
        self.linear = torch.nn.Linear(8, width)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.linear(x))


# region cases
six = range(6)
cases = {
    "weights": [Block() for _ in six],
    "an index that forward doesn't read": [Block(layer_idx=i) for i in six],
    "train() or eval()": [Block().train(i % 2 == 0) for i in six],
    "frozen or not": [Block().requires_grad_(i % 2 == 0) for i in six],
    "dropout probability": [Block(dropout=i / 10) for i in six],
    "width": [Block(width=8 + i) for i in six],
}
# endregion
rows = []
for difference, blocks in cases.items():
    torch.compiler.reset()
    kept = keep_graphs()
    for block in blocks:
        torch.compile(block, backend=kept)(torch.ones(2, 8))
    rows.append([difference, len(kept.graphs)])
show(Table(["the six modules differ in", "versions"], rows))

# region checks
assert [row[1] for row in rows] == [1, 1, 2, 2, 6, 6]
# endregion
