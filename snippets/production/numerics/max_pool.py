# /// lesson
# needs = ["compiler"]
# ///
"""The gradient of a maximum over the tokens of a text, in bfloat16, and two ways to get it right."""

import torch
from torch.nn.functional import gelu

from compile_lessons import Table, show


def pooled(x):
    return gelu(x).amax(1)


def pooled_by_index(x):
    return gelu(x).max(1).values


x = torch.randn(4, 100, 64, dtype=torch.bfloat16, requires_grad=True)
cases = {
    "eager mode": pooled,
    "compiled": torch.compile(pooled),
    "compiled, with emulate_precision_casts": torch.compile(pooled, options={"emulate_precision_casts": True}),
    "compiled, with max(1).values": torch.compile(pooled_by_index),
}
rows = []
for name, function in cases.items():
    result = function(x)
    (gradient,) = torch.autograd.grad(result.float().sum(), x)
    rows.append([name, bool(torch.equal(result, pooled(x))), f"{gradient.isnan().float().mean():.0%}"])
show(Table(["function", "same result", "NaN in the gradient"], rows))
# region checks
assert [row[2] for row in rows] == ["0%", "100%", "0%", "0%"]
# endregion
