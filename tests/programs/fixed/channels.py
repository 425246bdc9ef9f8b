"""The network is compiled as a whole."""

import torch


class Block(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.linear = torch.nn.Linear(channels, channels + 8)

    def forward(self, x):
        return self.linear(x).relu()


network = torch.nn.Sequential(*(Block(8 * number) for number in range(1, 13)))
fast = torch.compile(network, backend="eager", dynamic=False)
fast(torch.ones(2, 8))
