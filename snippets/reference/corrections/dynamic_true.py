"""dynamic=True: what becomes dynamic, and what still compiles for each value."""

import torch
from _count import compiles

from compile_lessons import Table, show

x, values, layer = torch.ones(3, 4), (2, 3, 4, 5), torch.nn.Linear(4, 4)


def repeat(x, n):
    for _ in range(n):
        x = x + 1
    return x


def set_k(k):
    layer.k = k
    return (layer, x)


def buffer_of(n):
    module = torch.nn.Module()
    module.register_buffer("cache", torch.ones(n))
    return (module,)


cases = {
    "a size of an argument": (lambda x: x * 2, lambda n: (torch.ones(n),)),
    "an int argument": (lambda x, n: x * n, lambda n: (x, n)),
    "an int attribute of a module": (lambda layer, x: layer(x) * layer.k, set_k),
    "the number of passes of a loop": (repeat, lambda n: (x, n)),
    "a size of a parameter": (lambda layer, x: layer(x), lambda n: (torch.nn.Linear(n, 2), torch.ones(3, n))),
    "a size of a buffer": (lambda module: module.cache * 2, buffer_of),
}
rows = []
for name, (function, arguments) in cases.items():
    rows.append([name, compiles(function, (arguments(n) for n in values), dynamic=True)])
show(Table(["four values of", "compiles with dynamic=True"], rows))
# region checks
assert [row[1] for row in rows] == [1, 1, 4, 4, 4, 4]
# endregion
