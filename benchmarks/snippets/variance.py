# /// lesson
# needs = ["compiler"]
# ///
"""Mean and variance in one pass."""

import torch


def variance(x):
    return torch.stack(list(torch.var_mean(x, dim=1)))


x = torch.linspace(-1, 1, 64 * 256).reshape(64, 256).cos()
compiled = torch.compile(variance)(x)
print("variance:", torch.allclose(compiled, variance(x), atol=1e-5))
