# /// lesson
# needs = ["compiler"]
# ///
"""From the same seed, compiled code and eager mode draw different numbers."""

import torch

from compile_lessons import Table, show


def noisy(x):
    return torch.nn.functional.dropout(x, 0.5)


def call_seeded(function):
    torch.manual_seed(0)
    return function(torch.ones(10_000))


eager = call_seeded(noisy)
rows = []
for options in ({}, {"fallback_random": True}):
    torch.compiler.reset()
    compiled = torch.compile(noisy, options=options)
    first = call_seeded(compiled)
    again = call_seeded(compiled)
    kept = (first > 0).float().mean()
    repeats = torch.equal(first, again)
    rows.append([str(options), f"{kept:.1%}", repeats, torch.equal(first, eager)])
columns = ["options", "kept", "same again from this seed", "same as eager mode"]
show(Table(columns, rows))

# region checks
assert [row[2:] for row in rows] == [[True, False], [True, True]]
# endregion
