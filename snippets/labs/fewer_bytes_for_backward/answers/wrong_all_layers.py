# 8 more than the original's

import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint


class FeedForward(torch.nn.Module):
    """The gated feed-forward layer of Llama, with its norm and its residual connection."""

    def __init__(self, width=16, hidden=44):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.gate = torch.nn.Linear(width, hidden, bias=False)
        self.up = torch.nn.Linear(width, hidden, bias=False)
        self.down = torch.nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        y = self.norm(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(FeedForward() for _ in range(3))

    def forward(self, x):
        return checkpoint(self.run, x, use_reentrant=False)

    def run(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
