# /// lesson
# needs = ["compiler"]
# ///
"""Rotary position embedding."""

import torch


def rotary(x, angle):
    left, right = x.chunk(2, dim=-1)
    return torch.cat([left * angle.cos() - right * angle.sin(), right * angle.cos() + left * angle.sin()], dim=-1)


x, angle = torch.linspace(-1, 1, 40 * 64).reshape(40, 64), torch.linspace(0, 3, 40 * 32).reshape(40, 32)
compiled = torch.compile(rotary)(x, angle)
print("rotary:", torch.allclose(compiled, rotary(x, angle), atol=1e-5))
