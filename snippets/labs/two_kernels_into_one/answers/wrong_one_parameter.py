# have to stay: a trained model's

import torch


def rms_norm(x):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6)


class QKNorm(torch.nn.Module):
    """Split the packed result of one projection and normalize queries and keys, with 8 heads for 2 key-value heads."""

    def __init__(self, heads=8, kv_heads=2, width=64):
        super().__init__()
        self.heads, self.kv_heads = heads, kv_heads
        self.scale = torch.nn.Parameter(torch.ones(heads + kv_heads, width))

    def forward(self, qkv):
        qk, v = qkv.split([self.heads + self.kv_heads, self.kv_heads], dim=1)
        q, k = (rms_norm(qk) * self.scale).split([self.heads, self.kv_heads], dim=1)
        return q, k, v
