"""Sizes that stay static: of parameters, buffers, and inputs in some uses."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, keep_graphs, show


class Cache(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("buffer", torch.ones(size))
        self.plain = torch.ones(size)


def double(x):
    return x * 2


def sum_rows(x):
    return sum(x[i] for i in range(len(x)))


def make_row(size):
    return torch.ones(1, size)


def make_image(size):
    return torch.ones(1, 1, size)


# region cases
CASES = {
    "an input": (double, torch.ones),
    "an nn.Parameter": (double, lambda size: torch.nn.Parameter(torch.ones(size))),
    "a buffer": (lambda module: module.buffer * 2, Cache),
    "a plain attribute": (lambda module: module.plain * 2, Cache),
    "an input, in range(len(x))": (sum_rows, torch.ones),
    "an input, in max_pool1d": (lambda x: F.max_pool1d(x, 2), make_row),
    "an input, in max_pool2d": (lambda x: F.max_pool2d(x, (1, 2)), make_image),
}
# endregion


def count_compiles(function, make_argument, dynamic):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(function, backend=kept, dynamic=dynamic)
    for size in (4, 5, 6, 7):
        compiled(make_argument(size))
    return len(kept.graphs)


rows = []
for name, (function, make_argument) in CASES.items():
    by_default = count_compiles(function, make_argument, dynamic=None)
    always_dynamic = count_compiles(function, make_argument, dynamic=True)
    rows.append([name, by_default, always_dynamic])
show(Table(["the size of", "compiles for 4 sizes", "with dynamic=True"], rows))

# region checks
assert [row[1] for row in rows] == [2, 4, 4, 2, 4, 4, 2]
assert [row[2] for row in rows] == [1, 4, 4, 1, 4, 4, 1]
# endregion
