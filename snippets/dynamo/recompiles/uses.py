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
    "torch.zeros(n)": lambda x, n: x.sum() + torch.zeros(n),
    "if n > 3": lambda x, n: x * 2 if n > 3 else x + 1,
    "for i in range(n)": lambda x, n: sum(x + i for i in range(n)),
    "names[n]": lambda x, n: (x + 1, names[n]),
    "max_pool1d(x, n)": lambda x, n: F.max_pool1d(x, n),
    "x * p": lambda x, n: x * (n / 10),
    "dropout(x, p)": lambda x, n: F.dropout(x, n / 10),
}
x, compiles = torch.ones(1, 64), {}
for use, function in uses.items():
    torch.compiler.reset()
    compiles[use] = 1 + count_recompiles(function)([(x, n) for n in range(1, 7)])
show(Table(["use of the argument", "compiles for 1 to 6"], list(compiles.items())))
# region checks
assert list(compiles.values()) == [2, 2, 6, 2, 2, 3, 6, 6, 6, 2, 6]
# endregion
