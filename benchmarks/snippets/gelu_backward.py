# /// lesson
# needs = ["compiler"]
# ///
"""The gradient of GELU."""

import torch


def gelu_backward(x):
    return torch.nn.functional.gelu(x).sum()


def gradient(fn, x):
    x = x.clone().requires_grad_()
    fn(x).backward()
    return x.grad


x = torch.linspace(-4, 4, 4096)
compiled = gradient(torch.compile(gelu_backward), x)
print("gelu_backward:", torch.allclose(compiled, gradient(gelu_backward, x), atol=1e-5))
