# /// lesson
# needs = ["compiler"]
# ///
"""Writing one row of a cache in four ways: three of them move the whole cache."""

import torch

from compile_lessons import Table, capture, show


def write_by_scatter(cache, row, position, q):
    cache.scatter_(1, position.view(1, 1, 1).expand_as(row), row)
    return (cache * q).sum(-1)


# region functions
def read_old_last(cache, row, position, q):
    old = cache[:, position].clone()
    cache[:, position] = row
    return (cache * q).sum(-1) - (old * q).sum(-1)


def read_old_first(cache, row, position, q):
    old = cache[:, position].clone()
    cache[:, position] = row
    return -(old * q).sum(-1) + (cache * q).sum(-1)


# endregion
def write_halves(cache, row, position, q):
    keys, values = cache.chunk(2)
    keys[:, position] = row[:2]
    values[:, position] = row[2:]
    return (keys * values).sum(-1)


cache = torch.zeros(4, 1024, 64)
row = torch.ones(4, 1, 64)
position = torch.tensor([3])
q = torch.ones(64)
rows = []
for function in (read_old_last, read_old_first, write_by_scatter, write_halves):
    with torch.no_grad():
        [graph] = capture(function, machine_code=False)(cache, row, position, q).graphs
    times = sum(kernel.bytes for kernel in graph.kernels) / cache.nbytes
    copied_back = "copy_" in str(graph.inductor[0].post_grad)
    rows.append([function.__name__, f"{times:.1f}", copied_back])
show(Table(["function", "times the cache is moved", "copied back"], rows))
# region checks
assert [row[2] for row in rows] == [True, False, True, True]
assert all((float(row[1]) >= 4) == row[2] for row in rows)
# endregion
