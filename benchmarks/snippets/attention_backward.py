# /// lesson
# needs = ["compiler"]
# ///
"""The gradient of attention, written out."""

import torch


def attention_backward(q):
    scores = torch.softmax(q @ q.transpose(-1, -2) / 4, dim=-1)
    return (scores @ q).square().mean()


def gradient(fn, q):
    q = q.clone().requires_grad_()
    fn(q).backward()
    return q.grad


q = torch.linspace(-1, 1, 24 * 16).reshape(24, 16).sin()
compiled = gradient(torch.compile(attention_backward), q)
print("attention_backward:", torch.allclose(compiled, gradient(attention_backward, q), atol=1e-5))
