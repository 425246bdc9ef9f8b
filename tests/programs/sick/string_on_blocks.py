"""Each block is compiled alone, and each has a name of its own."""

import torch


class Block(torch.nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, scales):
        return self.linear(x) * scales[self.name]  # finding: recompile-limit


names = [f"block.{number}" for number in range(12)]
scales = {name: 1.0 for name in names}
blocks = torch.nn.ModuleList(Block(name) for name in names)
for block in blocks:
    block.compile(backend="eager")
x = torch.ones(2, 4)
for block in blocks:
    x = block(x, scales)
