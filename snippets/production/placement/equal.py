# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Six blocks compiled one by one: which differences cost a version for each block."""

import torch

from compile_lessons import Table, keep_graphs, show


# region blocks
class Block(torch.nn.Module):
    def __init__(self, number, dropout=0.1):
        super().__init__()
        self.number = number
        self.linear = torch.nn.Linear(4, 4)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(x + self.linear(x))


def count_compiles(blocks, x):
    torch.compiler.reset()
    kept = keep_graphs()
    for block in blocks:
        block.compile(backend=kept)
        x = block(x)
    return len(kept.graphs)


equal = [Block(number) for number in range(6)]
growing_dropout = [Block(number, dropout=0.1 * number) for number in range(6)]
hooked = [Block(number) for number in range(6)]
for block in hooked:
    block.register_forward_hook(lambda module, inputs, output: None)
# endregion
x = torch.ones(2, 4, requires_grad=True)
rows = [
    ["equal", count_compiles(equal, x)],
    ["equal, on raw data", count_compiles(equal, torch.ones(2, 4))],
    ["growing dropout", count_compiles(growing_dropout, x)],
    ["a hook each", count_compiles(hooked, x)],
]
show(Table(["blocks", "compiles for six blocks"], rows))

# region checks
assert [row[1] for row in rows] == [1, 2, 6, 1]
# endregion
