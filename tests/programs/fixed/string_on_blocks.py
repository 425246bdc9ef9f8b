"""Each block gets its scale as a number that is the same for all."""

import torch


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, scale):
        return self.linear(x) * scale


blocks = torch.nn.ModuleList(Block() for _ in range(12))
for block in blocks:
    block.compile(backend="eager")
x = torch.ones(2, 4)
for block in blocks:
    x = block(x, 1.0)
