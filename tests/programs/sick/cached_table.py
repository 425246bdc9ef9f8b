"""A table of positions is cached by its length, but compiled code computes it in each call."""

from functools import lru_cache

import torch


@lru_cache(maxsize=8)
def positions(length):
    angles = torch.outer(torch.arange(length), 1e4 ** -torch.linspace(0, 1, 8))
    return torch.cat([angles.sin(), angles.cos()], 1)


@torch.compile(backend="eager")
def embed(x):
    return x + positions(x.shape[0])


for _ in range(4):
    y = embed(torch.ones(12, 16))  # advice: torch-warns
print(f"{y.sum():.3f}")
