# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {PYTHONWARNINGS = "ignore"}
# ///
"""Atomic additions, and the masks of dropout, on an H100."""

import torch
from torch.nn.functional import dropout

from compile_lessons import Table, show


def count(totals, bins, weights):
    return totals.index_add(0, bins, weights)


def two_masks(x):
    return dropout(x, 0.5), dropout(x, 0.5)


def with_a_break(x):
    return dropout(x, 0.5), torch._dynamo.graph_break(), dropout(x, 0.5)


torch.set_default_device("cuda")
bins, totals, weights, rows = torch.randint(100, (1_000_000,)), torch.zeros(100), torch.randn(1_000_000), []
for deterministic in (False, True):
    torch.use_deterministic_algorithms(deterministic)
    for name, run in (("eager", count), ("compiled", torch.compile(count))):
        results = {run(totals, bins, weights).cpu().numpy().tobytes() for _ in range(20)}
        rows.append([name, deterministic, len(results)])
show(Table(["run", "use_deterministic_algorithms", "different results in 20 calls"], rows))


def masks(function, size):
    torch.manual_seed(0)
    return [result[:8] for result in function(torch.ones(size, 1000)) if result is not None]


torch.use_deterministic_algorithms(False)
expected, rows = masks(torch.compile(two_masks), 8), []
for name, function, size in (("a batch of 16", two_masks, 16), ("a graph break", with_a_break, 8)):
    rows.append([name, *map(torch.equal, expected, masks(torch.compile(function), size))])
show(Table(["change, compiled", "first mask is the same", "second"], rows))
# region checks
assert rows == [["a batch of 16", True, True], ["a graph break", True, False]]
# endregion
