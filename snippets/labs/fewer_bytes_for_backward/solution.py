# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Fewer bytes for backward: three layers keep so much for the backward pass
that the batch has to be small.

Change the model so that the compiled forward pass keeps at most a quarter of
what it keeps now. For that, the backward graph may compute six extra matrix
multiplications, two per layer. Results and gradients stay the same.
"""

import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from compile_lessons.labs import check


class FeedForward(torch.nn.Module):
    """Llama's gated feed-forward layer, with its norm and its residual connection."""

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
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False)
        return x


if __name__ == "__main__":
    check("fewer_bytes_for_backward", __file__)
