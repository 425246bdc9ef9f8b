"""Count the graphs of a generator function, and of a loop over different iterators."""

import torch

from compile_lessons import Table, keep_graphs, show


def double_all(tensors):
    for tensor in tensors:
        yield tensor * 2


def total(tensors):
    return sum(tensor * 2 for tensor in tensors)


kept = keep_graphs()
for _ in torch.compile(double_all, backend=kept)([torch.ones(8), torch.ones(8)]):
    pass
rows = [["double_all(batches), a generator function", len(kept.graphs)]]

batches = {"first": torch.ones(8), "second": torch.ones(8)}
iterables = {
    "total(x for x in batches)": (x for x in batches.values()),
    "total(iter(batches))": iter(list(batches.values())),
    "total(batches.values())": batches.values(),
    "total(batches), a list": list(batches.values()),
}
for name, iterable in iterables.items():
    torch.compiler.reset()
    kept = keep_graphs()
    torch.compile(total, backend=kept)(iterable)
    rows.append([name, len(kept.graphs)])
show(Table(["what is compiled", "graphs"], rows))

# region checks
assert [row[1] for row in rows] == [0, 0, 0, 0, 1]
# endregion
