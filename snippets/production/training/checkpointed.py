"""Activation checkpointing in a compiled function: bytes kept for the backward pass."""

import torch
from torch.utils.checkpoint import checkpoint

from compile_lessons import Table, capture, show

up = torch.nn.Linear(64, 256)
down = torch.nn.Linear(256, 64)


def block(x):
    return x + down(torch.nn.functional.gelu(up(x)))


def plain(x):
    return block(block(x))


def checkpointed(x):
    x = checkpoint(block, x, use_reentrant=False)
    return checkpoint(block, x, use_reentrant=False)


def reentrant(x):
    x = checkpoint(block, x, use_reentrant=True)
    return checkpoint(block, x, use_reentrant=True)


rows = []
for function in (plain, checkpointed, reentrant):
    x = torch.randn(32, 64, requires_grad=True)
    pipeline = capture(function, until="aot")(x)
    saved = sum(graph.saved_bytes for graph in pipeline.graphs)
    rows.append([function.__name__, saved, len(pipeline.graphs), len(pipeline.breaks)])
show(Table(["function", "bytes saved", "graphs", "breaks"], rows))

# region checks
assert [row[2:] for row in rows] == [[1, 0]] * 3
assert rows[0][1] > 1.5 * rows[1][1]
assert rows[1][1] == rows[2][1]
# endregion
