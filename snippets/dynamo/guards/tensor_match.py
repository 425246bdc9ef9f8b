"""What TENSOR_MATCH compares."""

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def double(x):
    return x * 2


x = torch.ones(2, 3)
changes = {
    "other values": x + 5,
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
    counter = CompileCounter()  # a backend that counts
    compiled = torch.compile(double, backend=counter)
    compiled(x)
    compiled(changed)
    rows.append([change, "yes" if counter.frame_count == 2 else "no"])

show(Table(["then a call with", "compiled again"], rows))
assert [row[1] for row in rows] == ["no"] + ["yes"] * 7
