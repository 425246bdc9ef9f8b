"""Replace a method after the first call: on its class, and on one object."""

import torch

from compile_lessons import Table, show


class Block(torch.nn.Module):
    def scale(self, x):
        return x + 1

    def forward(self, x):
        return self.scale(x)


model, x, rows = torch.nn.Sequential(Block()), torch.ones(1), []
compiled = torch.compile(model, backend="eager")
for change in [
    "",
    "Block.scale = lambda self, x: x + 2",
    "torch.compiler.reset()",
    "Block.forward = lambda self, x: x + 3",
    "model[0].forward = lambda x: x + 4",
]:
    exec(change)
    rows.append([change or "(first call)", model(x).item(), compiled(x).item()])
show(Table(["change", "eager", "compiled"], rows))
# region checks
assert [row[1:] for row in rows] == [[2, 2], [3, 2], [3, 3], [4, 3], [5, 5]]


class Plain:
    k = 2.0

    def scale(self, x):
        return x + 1


class Derived(Plain):
    pass


linear, plain, derived, forward = torch.nn.Linear(1, 1), Plain(), Derived(), torch.nn.Linear.forward
functions = [torch.compile(f, backend="eager") for f in (linear, lambda x: plain.scale(x), lambda x: x * derived.k)]
before = [function(x).item() for function in functions]
Plain.scale, Derived.k, torch.nn.Linear.forward = lambda self, x: x + 9, 9.0, lambda self, x: x + 9
assert [function(x).item() for function in functions] == before
torch.nn.Linear.forward = forward
# endregion
