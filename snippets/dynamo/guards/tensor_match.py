"""What a guard on a tensor compares."""

import torch

from compile_lessons import Table, count_recompiles, show


def double(x):
    return x * 2


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
    "different dispatch keys": torch._neg_view(x),
}
rows = []
for change, changed in changes.items():
    torch.compiler.reset()
    rows.append([change, "yes" if count_recompiles(double)([x, changed]) else "no"])

show(Table(["the second call has", "recompiles"], rows))
# region checks
assert [row[1] for row in rows] == ["no"] * 2 + ["yes"] * 7
assert count_recompiles(double)([torch.ones(1, 4), torch.ones(2, 8)[:1, :4]]) == 1  # strides (4, 1) and (8, 1)
# endregion
