"""The blocks of a network share one forward, and no two have the same number of channels."""

import torch


class Block(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.linear = torch.nn.Linear(channels, channels + 8)

    def forward(self, x):
        return self.linear(x).relu()


blocks = [Block(8 * number) for number in range(1, 13)]
for block in blocks:
    block.compile(backend="eager", dynamic=False)  # finding: recompile-limit
x = torch.ones(2, 8)
for block in blocks:
    x = block(x)
