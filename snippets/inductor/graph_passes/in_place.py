# /// lesson
# needs = ["compiler"]
# ///
"""Writing one row of a cache: in place again after functionalization, or a copy of the cache."""

import torch

from compile_lessons import Table, capture, show


def update(cache, row, position, q):
    cache[:, position] = row
    return (cache * q).sum(-1)


def copy(cache, row, position, q):
    cache = cache.index_copy(1, position, row)
    return (cache * q).sum(-1), cache


arguments = torch.zeros(4, 1024, 64), torch.ones(4, 1, 64), torch.tensor([3]), torch.ones(64)
rows = []
with torch.no_grad():
    for function in (update, copy):
        [graph] = capture(function, machine_code=False)(*arguments).graphs
        before, after = graph.forward, graph.inductor[0].post_grad
        for name, calls in (("before", before.calls), ("after", after.calls)):
            targets = [node.target.split(".")[1] for node in calls]
            kernels = sum(kernel.bytes for kernel in graph.kernels) if name == "after" else ""
            rows.append([function.__name__, name, " ".join(targets), kernels])
show(Table(["function", "passes", "operators", "bytes moved"], rows))
# region checks
assert rows[0][2] == "index_put mul sum copy_" and rows[1][2] == "index_put_ mul sum"
assert rows[2][2] == rows[3][2] == "index_put mul sum" and rows[3][3] > 2 * rows[1][3]
# endregion
