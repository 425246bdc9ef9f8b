"""Each block is compiled alone, and each knows its number."""

import torch


class Block(torch.nn.Module):
    def __init__(self, index):
        super().__init__()
        self.index = index
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x) / (self.index + 1)  # finding: recompile-limit


blocks = [torch.compile(Block(index), backend="eager") for index in range(12)]
x = torch.ones(2, 4)
for block in blocks:
    x = block(x)
