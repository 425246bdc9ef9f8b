"""dynamic=True: what becomes dynamic, and what still compiles for each value."""

import torch
from _count import compiles

from compile_lessons import Table, show

x = torch.ones(3, 4)
layer = torch.nn.Linear(4, 4)


def repeat(x, n):
    for _ in range(n):
        x = x + 1
    return x


def layer_with(k):
    layer.k = k
    return layer


def module_with_buffer(n):
    module = torch.nn.Module()
    module.register_buffer("cache", torch.ones(n))
    return module


# region uses
def linear(n):
    return torch.nn.Linear(n, 2), torch.ones(3, n)


uses = {
    "a size of an argument": (lambda x: x * 2, lambda n: (torch.ones(n),)),
    "an int argument": (lambda x, n: x * n, lambda n: (x, n)),
    "an int attribute": (lambda m, x: m(x) * m.k, lambda n: (layer_with(n), x)),
    "the number of passes of a loop": (repeat, lambda n: (x, n)),
    "a size of a parameter": (lambda m, x: m(x), linear),
    "a size of a buffer": (lambda m: m.cache * 2, lambda n: (module_with_buffer(n),)),
}
rows = []
for name, (function, arguments) in uses.items():
    calls = (arguments(n) for n in (2, 3, 4, 5))
    rows.append([name, compiles(function, calls, dynamic=True)])
show(Table(["four values of", "compiles with dynamic=True"], rows))
# endregion
# region checks
assert [row[1] for row in rows] == [1, 1, 4, 4, 4, 4]
# endregion
