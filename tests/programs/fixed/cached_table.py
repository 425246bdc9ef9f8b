"""A table of positions is cached by its length, and compiled code gets it."""

from functools import lru_cache

import torch


@lru_cache(maxsize=8)
def positions(length):
    angles = torch.outer(torch.arange(length), 1e4 ** -torch.linspace(0, 1, 8))
    return torch.cat([angles.sin(), angles.cos()], 1)


@torch.compile(backend="eager")
def embed(x, positions):
    return x + positions


for _ in range(4):
    y = embed(torch.ones(12, 16), positions(12))
print(f"{y.sum():.3f}")
