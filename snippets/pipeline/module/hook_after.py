"""Hooks that are added after the first call."""

import torch
from torch import nn

from compile_lessons import Table, show


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def zero(module, inputs, output):
    return output * 0


x = torch.ones(2, 4)
model, other, first, different, bare = Model(), Model(), Model(), Model(), nn.Sequential(nn.Linear(4, 4))
first.layer.register_forward_hook(lambda module, inputs, output: None)
different.layer.register_forward_pre_hook(lambda module, inputs: None)
rows = []
for where, compiled_module, hooked in [
    ("model.layer", model, model.layer),
    ("model", other, other),
    ("nn.Sequential(…)", bare, bare),
    ("a layer with a forward hook", first, first.layer),
    ("a layer with a pre-hook", different, different.layer),
]:
    compiled = torch.compile(compiled_module, backend="eager")
    compiled(x)
    hooked.register_forward_hook(zero)
    late = not compiled(x).any()
    torch.compiler.reset()
    rows.append([where, not compiled_module(x).any(), late, not compiled(x).any()])
show(Table(["hook on", "runs in eager mode", "runs in the compiled call", "after reset()"], rows))

# region checks
assert [row[2] for row in rows] == [False, True, False, True, False]
assert all(row[1] and row[3] for row in rows)
# endregion
