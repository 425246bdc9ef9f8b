# /// lesson
# needs = ["compiler"]
# ///
"""From the same seed, compiled code draws different random numbers from eager mode's."""

import torch

from compile_lessons import Table, show


def noisy(x):
    return torch.nn.functional.dropout(x, 0.5)


def seeded(function):
    torch.manual_seed(0)
    return function(torch.ones(10_000))


eager, rows = seeded(noisy), []
for options in ({}, {"fallback_random": True}):
    torch.compiler.reset()
    compiled = torch.compile(noisy, options=options)
    first, again = seeded(compiled), seeded(compiled)
    kept = f"{(first > 0).float().mean().item():.1%}"
    rows.append([str(options), kept, torch.equal(first, again), torch.equal(first, eager)])
show(Table(["options", "kept", "same again from this seed", "same as eager mode"], rows))
# region checks
assert [row[2:] for row in rows] == [[True, False], [True, True]]
# endregion
