# /// lesson
# needs = ["compiler"]
# ///
"""Matrix product, bias and ReLU."""

import torch


def matmul_bias_relu(x, w, b):
    return torch.relu(x @ w + b)


x, w, b = torch.ones(32, 64) / 8, torch.linspace(-1, 1, 64 * 48).reshape(64, 48), torch.linspace(-2, 2, 48)
compiled = torch.compile(matmul_bias_relu)(x, w, b)
print("matmul_bias_relu:", torch.allclose(compiled, matmul_bias_relu(x, w, b), atol=1e-5))
