# /// lesson
# needs = ["compiler"]
# ///
"""What changes the random numbers that follow the same seed."""

import torch
from torch.nn.functional import dropout

from compile_lessons import Table, show


# region functions
def two_masks(x):
    return dropout(x, 0.5), dropout(x, 0.5)


def with_a_break(x):
    first = dropout(x, 0.5)
    torch._dynamo.graph_break()  # or a print
    return first, dropout(x, 0.5)


def with_an_unused_draw(x):
    first = dropout(x, 0.5)
    torch.rand(1)
    return first, dropout(x, 0.5)


def with_a_used_draw(x):
    first = dropout(x, 0.5)
    noise = torch.rand(1)
    return first, dropout(x, 0.5), noise


# endregion
def draw(function, rows):
    torch.manual_seed(0)
    first, second, *_ = function(torch.ones(rows, 1000))
    return first[:8], second[:8]


changes = {
    "a batch of 16": (two_masks, 16),
    "a graph break": (with_a_break, 8),
    "an unused draw": (with_an_unused_draw, 8),
    "a used draw": (with_a_used_draw, 8),
}
expected = draw(two_masks, 8)
compiled_expected = draw(torch.compile(two_masks), 8)
rows = []
for name, (function, size) in changes.items():
    eager_same = map(torch.equal, expected, draw(function, size))
    compiled = draw(torch.compile(function), size)
    compiled_same = map(torch.equal, compiled_expected, compiled)
    rows.append([name, *eager_same, *compiled_same])
columns = ["eager: first mask is the same", "second"]
columns += ["compiled: first mask is the same", "second"]
show(Table(["change", *columns], rows))

# region checks
assert rows[0][1:] == [True, False, True, True]
assert rows[1][1:] == [True, True, True, True]
assert rows[2][1:] == [True, False, True, True]
assert rows[3][1:] == [True, False, True, False]
# endregion
