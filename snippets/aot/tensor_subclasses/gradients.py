"""A loss that uses one of two outputs, both of a wrapper subclass."""

import torch
from _wrapper import Wrapped

from compile_lessons import Table, show


def first(*outputs):
    outputs[0].sum().backward()


def both(*outputs):
    (outputs[0] + outputs[1]).sum().backward()


programs = {
    "both outputs used": (lambda w: (w * w, w * 2), both),
    "one output used": (lambda w: (w * w, w * 2), first),
    "the other one detached": (lambda w: (w * w, (w * 2).detach()), first),
    "a plain gradient": (lambda w: (w * w,), lambda output: output.backward(torch.ones(4))),
    "a gradient of the class": (lambda w: (w * w,), lambda output: output.backward(Wrapped(torch.ones(4)))),
}
rows = []
for name, (function, backward) in programs.items():
    row = [name]
    for run in function, torch.compile(function, backend="aot_eager"):
        weight = Wrapped(torch.ones(4), requires_grad=True)
        try:
            backward(*run(weight))
            row.append(f"grad {weight.grad.inner[0].item():g}")
        except RuntimeError as error:
            row.append(next(line for line in str(error).splitlines() if line.startswith("Expected")))
    rows.append(row)
show(Table(["program", "eager", "compiled"], rows))
# region checks
assert [row[1] for row in rows] == ["grad 4", "grad 2", "grad 2", "grad 2", "grad 2"]
assert [row[2] for row in rows if row[2] == row[1]] == ["grad 4", "grad 2", "grad 2"]
assert rows[1][2].startswith("Expected a Wrapped tangent but got a plain Tensor")
# endregion
