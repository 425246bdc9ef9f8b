# /// lesson
# needs = ["compiler"]
# ///
"""The gradient of layer norm."""

import torch


def layer_norm_backward(x):
    return torch.nn.functional.layer_norm(x, (64,)).pow(3).sum()


def gradient(fn, x):
    x = x.clone().requires_grad_()
    fn(x).backward()
    return x.grad


x = torch.linspace(-200, 200, 32 * 64).reshape(32, 64).sin()
compiled = gradient(torch.compile(layer_norm_backward), x)
print("layer_norm_backward:", torch.allclose(compiled, gradient(layer_norm_backward, x), atol=1e-5))
