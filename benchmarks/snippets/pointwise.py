# /// lesson
# needs = ["compiler"]
# ///
"""A chain of pointwise operations."""

import torch


def pointwise(x):
    return torch.sin(x) * 2 + torch.exp(-x.abs())


x = torch.linspace(-3, 3, 4096)
compiled = torch.compile(pointwise)(x)
print("pointwise:", torch.allclose(compiled, pointwise(x), atol=1e-5))
