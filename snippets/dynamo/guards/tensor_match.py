"""What a guard on a tensor compares."""

import torch

from compile_lessons import Table, count_recompiles, show


def double(x):
    return x * 2


x = torch.ones(2, 3)
changes = {
    "other values": x + 5,
    "another storage offset": torch.ones(4, 3)[2:],
    "another size": torch.ones(2, 4),
    "other strides": torch.ones(3, 2).t(),
    "another dtype": x.double(),
    "another device": x.to("meta"),
    "requires_grad": torch.ones(2, 3, requires_grad=True),
    "another class": torch.nn.Parameter(x, requires_grad=False),
    "other dispatch keys": torch._neg_view(x),
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
