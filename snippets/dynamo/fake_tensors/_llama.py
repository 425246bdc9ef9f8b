"""A decoder with the dimensions of Llama 3 70B, without rotary embeddings."""

import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width=8192, heads=64, kv_heads=8, hidden=28672):
        super().__init__()
        self.head = width // heads
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.RMSNorm(width)
        self.q, self.out = (nn.Linear(width, width, bias=False) for _ in range(2))
        self.k, self.v = (
            nn.Linear(width, kv_heads * self.head, bias=False) for _ in range(2)
        )
        self.gate, self.up = (nn.Linear(width, hidden, bias=False) for _ in range(2))
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        y = self.norm1(x)
        q, k, v = (
            project(y).unflatten(-1, (-1, self.head)).transpose(1, 2)
            for project in (self.q, self.k, self.v)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + self.out(y.transpose(1, 2).flatten(2))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


def llama(layers=80, width=8192, words=128256, **sizes):
    blocks = (Block(width, **sizes) for _ in range(layers))
    return nn.Sequential(
        nn.Embedding(words, width),
        *blocks,
        nn.RMSNorm(width),
        nn.Linear(width, words, bias=False),
    )
