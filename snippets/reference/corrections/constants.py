"""Which Python values stay constants: four values of each type."""

import torch
from _count import compiles

from compile_lessons import Table, show

x = torch.ones(3)
functions = {
    "an int": (lambda x, v: x * v, [2, 3, 4, 5]),
    "a float": (lambda x, v: x * v, [2.0, 3.0, 4.0, 5.0]),
    "a float in a list": (lambda x, v: x * v[0], [[2.0], [3.0], [4.0], [5.0]]),
    "a bool": (lambda x, v: x * v, [True, False, True, False]),
    "a complex number": (lambda x, v: x * v, [2j, 3j, 4j, 5j]),
    "a str": (lambda x, v: x * len(v), ["a", "ab", "abc", "abcd"]),
}
rows = [
    [name, compiles(function, [(x, v) for v in values])]
    for name, (function, values) in functions.items()
]
show(Table(["four values of", "compiles"], rows))
# region checks
assert [row[1] for row in rows] == [2, 2, 2, 2, 4, 4]
# endregion
