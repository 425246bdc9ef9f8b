# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""Gradients of several batches: mark each step, or keep the gradients' memory."""

import torch
from _accumulate import outcome

from compile_lessons import Table, show


def train(model, original, batches=2, mark=False, zeros=False, keep=False):
    """Take four optimizer steps, each for the gradients of some batches."""
    optimizer = torch.optim.SGD(original.parameters(), lr=0.1)
    for parameter in original.parameters():
        parameter.grad = torch.zeros_like(parameter) if zeros else None
    torch.manual_seed(1)
    for _ in range(4):
        if mark:
            torch.compiler.cudagraph_mark_step_begin()
        for _ in range(batches):
            x = torch.randn(4, 8, device="cuda")
            model(x).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=not keep)


rows = [
    ["one batch in each step", outcome(train, batches=1)],
    ["two batches", outcome(train)],
    ["two batches, zeros at first", outcome(train, zeros=True)],
    ["two batches, a mark for each step", outcome(train, mark=True)],
    ["two batches, zeros that are kept", outcome(train, zeros=True, keep=True)],
]
show(Table(["training", "result"], rows))
# region checks
assert [rows[number][1] for number in (0, 3, 4)] == ["right"] * 3
assert rows[1][1].endswith("overwritten by a subsequent run") and rows[2][1] != "right"
# endregion
