# What `QKNorm` returns as keys when it is compiled

import torch


def rms_norm(x):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6)


class QKNorm(torch.nn.Module):
    """Split the packed result of one projection and normalize queries and keys, with 8 heads for 2 key-value heads."""

    def __init__(self, heads=8, kv_heads=2, width=64):
        super().__init__()
        self.heads, self.kv_heads = heads, kv_heads
        self.q_scale = torch.nn.Parameter(torch.ones(width))
        self.k_scale = torch.nn.Parameter(torch.ones(width))

    def forward(self, qkv):
        if torch.compiler.is_compiling():
            normed = rms_norm(qkv[:, :10]) * self.q_scale
            return normed[:, :8], normed[:, 8:], qkv[:, 10:]
        q, k, v = qkv.split([self.heads, self.kv_heads, self.kv_heads], dim=1)
        return rms_norm(q) * self.q_scale, rms_norm(k) * self.k_scale, v
