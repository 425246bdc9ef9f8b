# /// lesson
# needs = ["compiler"]
# ///
"""The bfloat16 gradient of a maximum over the tokens of a text, and two fixes."""

import torch
from torch.nn.functional import gelu

from compile_lessons import Table, show


def pool(x):
    return gelu(x).amax(1)


def pool_by_index(x):
    return gelu(x).max(1).values


x = torch.randn(4, 100, 64, dtype=torch.bfloat16, requires_grad=True)
emulate = {"emulate_precision_casts": True}
cases = {
    "eager mode": pool,
    "compiled": torch.compile(pool),
    "emulate_precision_casts": torch.compile(pool, options=emulate),
    "max(1).values": torch.compile(pool_by_index),
}
rows = []
for name, function in cases.items():
    result = function(x)
    [gradient] = torch.autograd.grad(result.float().sum(), x)
    share = gradient.isnan().float().mean()
    rows.append([name, torch.equal(result, pool(x)), f"{share:.0%}"])
show(Table(["function", "same result", "NaN in the gradient"], rows))

# region checks
assert [row[2] for row in rows] == ["0%", "100%", "0%", "0%"]
# endregion
