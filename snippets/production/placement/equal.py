# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Six blocks compiled one by one: which differences cost a version for each block."""

import torch
from _model import graphs, keep_graph

from compile_lessons import Table, show


class Block(torch.nn.Module):
    def __init__(self, number):
        super().__init__()
        self.number, self.linear = number, torch.nn.Linear(4, 4)
        self.dropout = torch.nn.Dropout(0.1)

    def forward(self, x):
        return self.dropout(x + self.linear(x))


class GrowingDropout(Block):
    def __init__(self, number):
        super().__init__(number)
        self.dropout = torch.nn.Dropout(0.1 * number)


class Hook(Block):
    def __init__(self, number):
        super().__init__(number)
        self.register_forward_hook(lambda module, inputs, output: None)


rows, cases = [], {"equal": Block, "equal, on raw data": Block, "growing dropout": GrowingDropout, "a hook each": Hook}
for name, kind in cases.items():
    torch.compiler.reset()
    graphs.clear()
    x = torch.ones(2, 4, requires_grad="raw" not in name)
    for number in range(6):
        (block := kind(number)).compile(backend=keep_graph)
        x = block(x)
    rows.append([name, len(graphs)])
show(Table(["blocks", "compiles for six blocks"], rows))
# region checks
assert [row[1] for row in rows] == [1, 2, 6, 1]
# endregion
