# /// lesson
# needs = ["compiler"]
# ///
"""Layer norm."""

import torch


def layer_norm(x):
    return torch.nn.functional.layer_norm(x, (128,))


x = torch.linspace(-200, 200, 64 * 128).reshape(64, 128).sin()
compiled = torch.compile(layer_norm)(x)
print("layer_norm:", torch.allclose(compiled, layer_norm(x), atol=1e-5))
