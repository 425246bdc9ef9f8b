# /// lesson
# needs = ["compiler"]
# ///
"""Cross entropy."""

import torch


def cross_entropy(logits, target):
    return torch.nn.functional.cross_entropy(logits, target)


logits, target = torch.linspace(-3, 3, 32 * 50).reshape(32, 50).sin(), torch.arange(32)
compiled = torch.compile(cross_entropy)(logits, target)
print("cross_entropy:", torch.allclose(compiled, cross_entropy(logits, target), atol=1e-5))
