"""An output that is a view of an input is a view in compiled code too."""

import torch


@torch.compile(backend="aot_eager")
def first_row(x):
    return x[0], x + 1


x = torch.zeros(3, 2)
row, other = first_row(x)
row.add_(7)
print(x)
# region checks
assert row._base is x
assert other._base is None
assert x.tolist() == [[7, 7], [0, 0], [0, 0]]
# endregion
