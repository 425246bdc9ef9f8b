# /// lesson
# needs = ["compiler"]
# ///
"""RMS norm, written out."""

import torch


def rms_norm(x):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


x = torch.linspace(-2, 2, 64 * 96).reshape(64, 96)
compiled = torch.compile(rms_norm)(x)
print("rms_norm:", torch.allclose(compiled, rms_norm(x), atol=1e-5))
