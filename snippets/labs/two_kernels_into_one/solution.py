# /// lesson
# data = ["checks.py", "lab.toml"]
# needs = ["triton"]
# memory = 8192
# ///
"""Turn two kernels into one: attention normalizes its queries and its keys, and
Inductor writes a kernel for each.

Change `QKNorm` so that Inductor writes one kernel for both in inference. It
still returns the same queries, keys and values. In the checks, Inductor writes
code for an H200, which your machine doesn't need to have.
"""

import torch

from compile_lessons.labs import check


def rms_norm(x):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6)


class QKNorm(torch.nn.Module):
    """Split one projection's result, and normalize its queries and keys.

    Of its 12 heads, 8 are queries, 2 are keys and 2 are values.
    """

    def __init__(self, heads=8, kv_heads=2, width=64):
        super().__init__()
        self.heads = heads
        self.kv_heads = kv_heads
        self.q_scale = torch.nn.Parameter(torch.ones(width))
        self.k_scale = torch.nn.Parameter(torch.ones(width))

    def forward(self, qkv):
        qk, v = qkv.split([self.heads + self.kv_heads, self.kv_heads], dim=1)
        q_scale = self.q_scale.expand(self.heads, -1)
        k_scale = self.k_scale.expand(self.kv_heads, -1)
        scale = torch.cat([q_scale, k_scale])
        q, k = (rms_norm(qk) * scale).split([self.heads, self.kv_heads], dim=1)
        return q, k, v


if __name__ == "__main__":
    check("two_kernels_into_one", __file__)
