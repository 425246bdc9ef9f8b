# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""Gradients of several batches under CUDA graphs: they add up only in memory that isn't the graph's."""

from copy import deepcopy

import torch
from torch import nn

from compile_lessons import Table, show


def train(model, original, batches, zeros=False):
    """Take four optimizer steps, each for the gradients of some batches. Return the last weight."""
    optimizer = torch.optim.SGD(original.parameters(), lr=0.1)
    if zeros:
        for parameter in original.parameters():
            parameter.grad = torch.zeros_like(parameter)
    torch.manual_seed(1)
    for _ in range(4):
        for _ in range(batches):
            x = torch.randn(4, 8, device="cuda")
            model(x).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=not zeros)
    return original[2].weight.detach().clone()


def outcome(**options):
    """Train under CUDA graphs. Return "right" or "wrong", or the error's message."""
    torch.manual_seed(0)
    original = nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 8)).cuda()
    copy = deepcopy(original)
    torch.compiler.reset()
    compiled = torch.compile(original, mode="reduce-overhead")
    try:
        result = train(compiled, original, **options)
    except RuntimeError as error:
        return str(error).split(". Stack trace")[0]
    return "right" if torch.allclose(result, train(copy, copy, **options), atol=1e-6) else "wrong"


rows = [
    ["one batch in each step", outcome(batches=1)],
    ["two batches", outcome(batches=2)],
    ["two batches, gradients start as zeros", outcome(batches=2, zeros=True)],
]
show(Table(["training", "result"], rows))
# region checks
assert [row[1] for row in rows][::2] == ["right"] * 2
assert rows[1][1].endswith("overwritten by a subsequent run")
# endregion
