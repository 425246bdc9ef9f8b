"""What a guard on a tensor compares."""

import torch

from compile_lessons import Table, count_recompiles, show


def double(x):
    return x * 2


# region changes
x = torch.ones(2, 3)
changes = {
    "different values": x + 5,
    "a different storage offset": torch.ones(4, 3)[2:],
    "a different size": torch.ones(2, 4),
    "different strides": torch.ones(3, 2).t(),
    "a different dtype": x.double(),
    "a different device": x.to("meta"),
    "requires_grad": torch.ones(2, 3, requires_grad=True),
    "a different class": torch.nn.Parameter(x, requires_grad=False),
    "different dispatch keys": torch._neg_view(x),  # private, as negated views are
}
# endregion
rows = []
for change, changed in changes.items():
    torch.compiler.reset()
    recompiles = count_recompiles(double)([x, changed])
    rows.append([change, "yes" if recompiles else "no"])
show(Table(["the second call has", "recompiles"], rows))

# region checks
assert [row[1] for row in rows] == ["no"] * 2 + ["yes"] * 7
one_row = torch.ones(1, 4)
with_other_stride = torch.ones(2, 8)[:1, :4]  # strides (8, 1), not (4, 1)
assert count_recompiles(double)([one_row, with_other_stride]) == 1
# endregion
