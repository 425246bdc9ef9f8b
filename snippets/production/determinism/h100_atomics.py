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
def weighted_histogram(totals, bins, weights):
    return totals.index_add(0, bins, weights)


totals = torch.zeros(100)
bins = torch.randint(100, (1_000_000,))
weights = torch.randn(1_000_000)
modes = {"eager": weighted_histogram, "compiled": torch.compile(weighted_histogram)}
counts = []
for deterministic in (False, True):
    torch.use_deterministic_algorithms(deterministic)
    for mode, run in modes.items():
        results = [run(totals, bins, weights) for _ in range(20)]
        different = {result.cpu().numpy().tobytes() for result in results}
        counts.append([mode, deterministic, len(different)])
columns = ["run", "use_deterministic_algorithms", "different results in 20 calls"]
show(Table(columns, counts))
torch.use_deterministic_algorithms(False)
# endregion


# region masks
def two_masks(x):
    return dropout(x, 0.5), dropout(x, 0.5)


def with_a_graph_break(x):
    first = dropout(x, 0.5)
    torch._dynamo.graph_break()
    return first, dropout(x, 0.5)


def first_rows(function, batch):
    """Return the first eight rows of both masks, always from the same seed."""
    torch.manual_seed(0)
    first, second = torch.compile(function)(torch.ones(batch, 1000))
    return first[:8], second[:8]


def compare(change, function, batch):
    """Return whether each mask is that of one graph and a batch of 8."""
    first, second = first_rows(function, batch)
    return [change, torch.equal(first, first_mask), torch.equal(second, second_mask)]


first_mask, second_mask = first_rows(two_masks, batch=8)
rows = [
    compare("a batch of 16", two_masks, batch=16),
    compare("a graph break", with_a_graph_break, batch=8),
]
show(Table(["change, compiled", "first mask is the same", "second"], rows))
# endregion
# region checks
different_results = {(mode, flag): count for mode, flag, count in counts}
assert different_results["eager", False] > 1
assert different_results["compiled", False] > 1
assert different_results["eager", True] == 1
assert different_results["compiled", True] == 1
assert rows == [["a batch of 16", True, True], ["a graph break", True, False]]
# endregion
