# /// lesson
# needs = ["compiler"]
# ///
"""Softmax over rows."""

import torch


def softmax(x):
    return torch.softmax(x, dim=-1)


x = torch.linspace(-2, 2, 64 * 128).reshape(64, 128)
compiled = torch.compile(softmax)(x)
print("softmax:", torch.allclose(compiled, softmax(x), atol=1e-5))
