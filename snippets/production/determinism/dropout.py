# /// lesson
# needs = ["compiler"]
# ///
"""What changes the random numbers that follow the same seed."""

import torch
from torch.nn.functional import dropout

from compile_lessons import Table, show


def two_masks(x):
    return dropout(x, 0.5), dropout(x, 0.5)


def with_a_break(x):
    first = dropout(x, 0.5)
    torch._dynamo.graph_break()  # or a print
    return first, dropout(x, 0.5)


def with_an_unused_draw(x):
    first, _ = dropout(x, 0.5), torch.rand(1)
    return first, dropout(x, 0.5)


def with_a_used_draw(x):
    first, noise = dropout(x, 0.5), torch.rand(1)
    return first, dropout(x, 0.5), noise


def masks(function, size):
    torch.manual_seed(0)
    return [result[:8] for result in function(torch.ones(size, 1000))[:2]]


changes = [(two_masks, 16), (with_a_break, 8), (with_an_unused_draw, 8), (with_a_used_draw, 8)]
rows = [["a batch of 16"], ["a graph break"], ["an unused draw"], ["a used draw"]]
for run in (lambda function: function, torch.compile):
    expected = masks(run(two_masks), 8)
    for row, (function, size) in zip(rows, changes, strict=True):
        row.extend(map(torch.equal, expected, masks(run(function), size)))
show(Table(["change", "eager: first mask is the same", "second", "compiled: first mask is the same", "second"], rows))
# region checks
assert rows[0][1:] == [True, False, True, True]
assert rows[1][1:] == [True, True, True, True]
assert rows[2][1:] == [True, False, True, True]
assert rows[3][1:] == [True, False, True, False]
# endregion
