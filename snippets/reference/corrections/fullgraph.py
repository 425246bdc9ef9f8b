"""fullgraph=True: one graph for each version, however many versions there are."""

import torch
from _count import compiles

from compile_lessons import Table, capture, show


def loss(x):
    return x.sin().sum()


def add_length(x, name):
    return x + len(name)


sizes = [(torch.ones(n),) for n in (3, 4, 5, 6)]
strings = [(torch.ones(3), "a" * n) for n in (1, 2, 3, 4)]
x = torch.ones(3, requires_grad=True)
[training] = capture(loss, fullgraph=True, until="aot")(x).graphs
aten_graphs = [training.forward, training.backward]
rows = [
    ["four sizes, default", compiles(loss, sizes)],
    ["four sizes, fullgraph=True", compiles(loss, sizes, fullgraph=True)],
    ["four strings, fullgraph=True", compiles(add_length, strings, fullgraph=True)],
    ["one training step, fullgraph=True: ATen graphs", len(aten_graphs)],
]
show(Table(["calls", "graphs"], rows))
# region checks
assert [row[1] for row in rows] == [2, 2, 4, 2]
assert None not in aten_graphs
# endregion
