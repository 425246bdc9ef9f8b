"""A small model that is trained under CUDA graphs, and compared with eager mode."""

from copy import deepcopy

import torch
from torch import nn


def outcome(train, **options):
    """Train under CUDA graphs. Return "right" or "wrong", or the error's message."""
    torch.manual_seed(0)
    original = nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 8)).cuda()
    copy = deepcopy(original)
    torch.compiler.reset()
    compiled = torch.compile(original, mode="reduce-overhead")
    try:
        train(compiled, original, **options)
    except RuntimeError as error:
        return str(error).split(". Stack trace")[0]
    train(copy, copy, **options)
    equal = torch.allclose(original[2].weight, copy[2].weight, atol=1e-6)
    return "right" if equal else "wrong"
