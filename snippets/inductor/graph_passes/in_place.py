# /// lesson
# needs = ["compiler"]
# ///
"""Writing one row of a cache: in place after functionalization, or a copy of it all."""

import torch

from compile_lessons import Table, capture, show


# region functions
def update(cache, row, position, q):
    cache[:, position] = row
    return (cache * q).sum(-1)


def copy(cache, row, position, q):
    cache = cache.index_copy(1, position, row)
    return (cache * q).sum(-1), cache


# endregion
def operators(calls):
    return " ".join(node.target.split(".")[1] for node in calls)


cache = torch.zeros(4, 1024, 64)
row = torch.ones(4, 1, 64)
position = torch.tensor([3])
q = torch.ones(64)
rows = []
for function in (update, copy):
    with torch.no_grad():
        [graph] = capture(function, machine_code=False)(cache, row, position, q).graphs
    moved = sum(kernel.bytes for kernel in graph.kernels)
    after = operators(graph.inductor[0].post_grad.calls)
    rows.append([function.__name__, "before", operators(graph.forward.calls), ""])
    rows.append([function.__name__, "after", after, moved])
show(Table(["function", "passes", "operators", "bytes moved"], rows))
# region checks
update_before, update_after, copy_before, copy_after = rows
assert update_before[2] == "index_put mul sum copy_"
assert update_after[2] == "index_put_ mul sum"
assert copy_before[2] == copy_after[2] == "index_put mul sum"
assert copy_after[3] > 2 * update_after[3]
# endregion
