# the kernels are independent

import torch
from torch.nn import functional


class QKNorm(torch.nn.Module):
    """Split the packed result of one projection and normalize queries and keys, with 8 heads for 2 key-value heads."""

    def __init__(self, heads=8, kv_heads=2, width=64):
        super().__init__()
        self.heads, self.kv_heads = heads, kv_heads
        self.q_scale = torch.nn.Parameter(torch.ones(width))
        self.k_scale = torch.nn.Parameter(torch.ones(width))

    def forward(self, qkv):
        q, k, v = qkv.split([self.heads, self.kv_heads, self.kv_heads], dim=1)
        return functional.rms_norm(q, (64,), self.q_scale, 1e-6), functional.rms_norm(k, (64,), self.k_scale, 1e-6), v
