# /// lesson
# needs = ["compiler"]
# ///
"""GELU with the tanh approximation."""

import torch


def gelu(x):
    return torch.nn.functional.gelu(x, approximate="tanh")


x = torch.linspace(-4, 4, 8192)
compiled = torch.compile(gelu)(x)
print("gelu:", torch.allclose(compiled, gelu(x), atol=1e-5))
