"""Count the compiles while a size changes, with dynamic=None, True and False."""

import torch

from compile_lessons import Table, show


def total(x):
    return x.sum() * 2


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


SIZES = (32, 64, 128, 256, 5, 1, 0)
columns = []
for dynamic in (None, True, False):
    torch.compiler.reset()
    compiled = torch.compile(total, backend=keep_graph, dynamic=dynamic)
    compiles = []
    for size in SIZES:
        graphs.clear()
        compiled(torch.ones(size))
        compiles.append(len(graphs))
    columns.append([*compiles, sum(compiles)])

rows = [list(row) for row in zip([*map(str, SIZES), "all"], *columns, strict=True)]
show(Table(["size", "dynamic=None", "dynamic=True", "dynamic=False"], rows))
automatic, always, never = rows[-1][1:]
four_sizes = sum(columns[0][:4])
# region checks
assert (four_sizes, automatic, always, never) == (2, 4, 3, 7)
# endregion
