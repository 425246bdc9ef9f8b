"""An output that is a view of an input stays one."""

import torch


def first_row(x):
    return x[0], x + 1


x = torch.zeros(3, 2)
row, other = torch.compile(first_row, backend="aot_eager")(x)
row.add_(7)
print(x)
print("row is a view of x:", row._base is x)

assert row._base is x and other._base is None
assert torch.equal(x[0], torch.full((2,), 7.0))
