# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {PYTHONWARNINGS = "ignore"}
# ///
"""Atomic additions, and the masks of dropout, on an H100."""

import torch
from torch.nn.functional import dropout

from compile_lessons import Table, show

torch.set_default_device("cuda")


# region atomics
def count(totals, bins, weights):
    return totals.index_add(0, bins, weights)


bins = torch.randint(100, (1_000_000,))
totals = torch.zeros(100)
weights = torch.randn(1_000_000)
rows = []
for deterministic in (False, True):
    torch.use_deterministic_algorithms(deterministic)
    for mode, run in (("eager", count), ("compiled", torch.compile(count))):
        results = [run(totals, bins, weights) for _ in range(20)]
        different = {result.cpu().numpy().tobytes() for result in results}
        rows.append([mode, deterministic, len(different)])
columns = ["run", "use_deterministic_algorithms", "different results in 20 calls"]
show(Table(columns, rows))
torch.use_deterministic_algorithms(False)
# endregion


# region masks
def two_masks(x):
    return dropout(x, 0.5), dropout(x, 0.5)


def with_a_graph_break(x):
    first = dropout(x, 0.5)
    torch._dynamo.graph_break()
    return first, dropout(x, 0.5)


def masks(function, batch):
    """Return both masks of the first eight rows of a batch."""
    torch.manual_seed(0)
    first, second = torch.compile(function)(torch.ones(batch, 1000))
    return first[:8], second[:8]


def same(results):
    return [torch.equal(*pair) for pair in zip(expected, results, strict=True)]


expected = masks(two_masks, 8)
rows = [
    ["a batch of 16", *same(masks(two_masks, 16))],
    ["a graph break", *same(masks(with_a_graph_break, 8))],
]
show(Table(["change, compiled", "first mask is the same", "second"], rows))
# endregion
# region checks
assert rows == [["a batch of 16", True, True], ["a graph break", True, False]]
# endregion
