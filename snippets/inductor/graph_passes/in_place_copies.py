# /// lesson
# needs = ["compiler"]
# ///
"""Writing one row of a cache in seven ways: which of them move the whole cache several times."""

import torch

from compile_lessons import Table, capture, show


def write(cache, row, position, q):
    cache[:, position] = row
    return (cache * q).sum(-1)


def write_by_scatter(cache, row, position, q):
    index = position.view(1, 1, 1).expand_as(row)
    cache.scatter_(1, index, row)
    return (cache * q).sum(-1)


def read_old_last(cache, row, position, q):
    old = cache[:, position].clone()
    cache[:, position] = row
    return (cache * q).sum(-1) - (old * q).sum(-1)


def read_old_first(cache, row, position, q):
    old = cache[:, position].clone()
    cache[:, position] = row
    return -(old * q).sum(-1) + (cache * q).sum(-1)


def update_old(cache, row, position, q):
    cache[:, position] = 0.9 * cache[:, position] + row
    return (cache * q).sum(-1)


def write_halves(cache, row, position, q):
    keys, values = cache.chunk(2)
    keys[:, position] = row[:2]
    values[:, position] = row[2:]
    return (keys * values).sum(-1)


def write_both(cache, row, position, q):
    cache[:, position] = row
    keys, values = cache.chunk(2)
    return (keys * values).sum(-1)


cache = torch.zeros(4, 1024, 64)
arguments = torch.ones(4, 1, 64), torch.tensor([3]), torch.ones(64)
rows = []
for function in (write, write_by_scatter, read_old_last, read_old_first, update_old, write_halves, write_both):
    with torch.no_grad():
        [graph] = capture(function, machine_code=False)(cache, *arguments).graphs
    times = sum(kernel.bytes for kernel in graph.kernels) / cache.nbytes
    targets = [node.target.split(".")[1] for node in graph.inductor[0].post_grad.calls]
    rows.append([function.__name__, f"{times:.1f}", "copy_" in targets])
show(Table(["function", "times the cache is moved", "copied back"], rows))
# region checks
copied = [row[0] for row in rows if row[2]]
assert copied == ["write_by_scatter", "read_old_last", "write_halves"]
assert all((float(row[1]) >= 4) == row[2] for row in rows)
# endregion
