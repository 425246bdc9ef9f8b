"""Six values of an argument: what it is used for decides how often Dynamo compiles."""

import math

import torch
import torch.nn.functional as F

from compile_lessons import Table, count_recompiles, show

names = [f"layer {i}" for i in range(8)]
uses = {
    "x * n": lambda x, n: x * n,
    "x * math.sqrt(n)": lambda x, n: x * math.sqrt(n),
    "x * math.log(n)": lambda x, n: x * math.log(n),
    "x[:n]": lambda x, n: x[:n],
    "x.clamp(max=n)": lambda x, n: x.clamp(max=n),
    "torch.zeros(n)": lambda x, n: x.sum() + torch.zeros(n),
    "if n > 3": lambda x, n: x * 2 if n > 3 else x + 1,
    "for i in range(n)": lambda x, n: sum(x + i for i in range(n)),
    "names[n]": lambda x, n: (x + 1, names[n]),
    "max_pool1d(x, n)": lambda x, n: F.max_pool1d(x, n),
}
float_uses = {
    "x * p": lambda x, p: x * p,
    "x.clamp(max=p)": lambda x, p: x.clamp(max=p),
    "x.lerp(y, p)": lambda x, p: x.lerp(x + 1, p),
    "dropout(x, p)": lambda x, p: F.dropout(x, p),
}
ints = [(use, function, range(1, 7)) for use, function in uses.items()]
floats = [(use, function, [n / 10 for n in range(1, 7)]) for use, function in float_uses.items()]
tensor = ("x.clamp(max=p), p a tensor", float_uses["x.clamp(max=p)"], torch.arange(1, 7) / 10)
x, compiles = torch.ones(1, 64), {}
for use, function, values in [*ints, *floats, tensor]:
    torch.compiler.reset()
    compiles[use] = 1 + count_recompiles(function)([(x, value) for value in values])
show(Table(["use of n (an int) or p (a float)", "compiles for six values"], list(compiles.items())))
# region checks
assert list(compiles.values()) == [2, 2, 6, 2, 2, 2, 3, 6, 6, 6, 2, 6, 6, 6, 1]
# endregion
