"""A decoder with the dimensions of Llama 3 70B, without rotary embeddings."""

import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width=8192, heads=64, kv_heads=8, hidden=28672):
        super().__init__()
        self.head_width = width // heads
        kv_width = kv_heads * self.head_width
        self.norm1 = nn.RMSNorm(width)
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, kv_width, bias=False)
        self.value = nn.Linear(width, kv_width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.norm2 = nn.RMSNorm(width)
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def split_heads(self, x):
        return x.unflatten(-1, (-1, self.head_width)).transpose(1, 2)

    def attention(self, x):
        query = self.split_heads(self.query(x))
        key = self.split_heads(self.key(x))
        value = self.split_heads(self.value(x))
        attended = F.scaled_dot_product_attention(
            query, key, value, is_causal=True, enable_gqa=True
        )
        return self.out(attended.transpose(1, 2).flatten(2))

    def mlp(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


def llama(layers=80, width=8192, words=128256, **sizes):
    blocks = [Block(width, **sizes) for _ in range(layers)]
    return nn.Sequential(
        nn.Embedding(words, width),
        *blocks,
        nn.RMSNorm(width),
        nn.Linear(width, words, bias=False),
    )
