"""A compiled function yields, so Dynamo skips it."""

import torch


@torch.compile(backend="eager")  # finding: skipped
def rows(x):
    for row in x:
        yield row * 2


for _ in range(3):
    list(rows(torch.ones(3, 4)))
